import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/config/folders.ts';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { tokensOf } from '../../../src/context/text-size.ts';
import type { ModelInfo } from '../../../src/providers/provider.ts';
import { chooseWindows, messageTokens } from '../../../src/run/door/window.ts';

const { settings } = loadConfiguration({ cwd: packageRoot, env: { HOME: '/dev/null/nowhere' } });
const within = (maxWindowTokens: number | null) => ({ ...settings, context: { ...settings.context, maxWindowTokens } });

const modelOf = (maxWindowTokens: number, changes: Partial<ModelInfo> = {}): ModelInfo => ({
  ...{ model: 'm', maxWindowTokens, structuredOutput: true, tools: false, spends: 'tokens', digest: null },
  ...{ callsAtOnce: 1, answersWithoutText: true, notices: [], weights: 1.5e9 },
  ...changes,
});
const large = { weights: 70e9 };

describe('the window of a run', () => {
  it.each([
    ['a short text', 1_000, 32_768, 8_192, true],
    ['a text that needs more', 20_000, 32_768, 16_384, true],
    ['a text that does not fit', 10_000_000, 32_768, 8_192, false],
    ['a text for a small window', 1_000, 4_096, 4_096, true],
    ['a model between two powers', 20_000, 10_000, 10_000, true],
    ['nothing', 0, 32_768, 8_192, true],
  ])('for %s', (_, bytes, largest, tokens, fits) => {
    const { window, widest } = chooseWindows(bytes, 50, modelOf(largest), settings);
    expect(window).toMatchObject({ tokens, fits });
    expect(widest).toMatchObject({ tokens: largest, fits });
  });

  it.each([
    ['all that the model has', {}, null, 131_072],
    ['16,384 where its server loads it anew', { loadsWindow: true }, null, 16_384],
    ['what the setting says', {}, 20_000, 20_000],
    ['what the setting says, also where the server loads it anew', { loadsWindow: true }, 32_768, 32_768],
  ])('is at most %s', (_, changes, maxWindowTokens, expected) => {
    const { widest } = chooseWindows(1e9, 50, modelOf(131_072, changes), within(maxWindowTokens));
    expect(widest.tokens).toBe(expected);
  });

  it('reads no text of more than 32,768 tokens whole, unless the setting asks for a larger window', () => {
    const bytes = 150_000;
    expect(chooseWindows(bytes, 50, modelOf(131_072, large), settings).window.fits).toBe(false);
    expect(chooseWindows(bytes, 50, modelOf(131_072, large), within(131_072)).window.fits).toBe(true);
    expect(chooseWindows(60_000, 50, modelOf(131_072, large), settings).window.fits).toBe(true);
  });

  it('has room for the passages of a question if the text does not fit', () => {
    const { passages, chunkTokens } = settings.context;
    expect(chooseWindows(1e9, 50, modelOf(32_768), settings).window).toMatchObject({ lookBytes: null });
    expect(chooseWindows(1e9, 50, modelOf(32_768), settings).window.passageBytes).toBeGreaterThanOrEqual(
      passages * chunkTokens * 3,
    );
  });

  it('has room for the text shown before the passages', () => {
    const context = { ...settings.context, overlapTokens: 1_000 };
    const { passageBytes } = chooseWindows(1e9, 50, modelOf(32_768), { ...settings, context }).window;
    expect(passageBytes).toBeGreaterThanOrEqual(context.passages * (context.chunkTokens + 1_000) * 3);
  });

  it('gives a model that is not small a first look of firstLookTokens, whatever its window', () => {
    const context = { ...settings.context, chunkTokens: 100, overlapTokens: 0 };
    const countIn = (maxWindowTokens: number, firstLookTokens: number, changes: Partial<ModelInfo> = large) =>
      chooseWindows(1e9, 50, modelOf(maxWindowTokens, changes), { ...settings, context, auto: { firstLookTokens } })
        .window.lookBytes;
    expect(countIn(8_192, 4_000)).toBe(countIn(131_072, 4_000));
    expect(countIn(131_072, 24_000)).toBe(2 * countIn(131_072, 12_000)!);
    expect(countIn(131_072, 24_000, {})).toBe(null);
    expect(countIn(131_072, 24_000, { ...large, spends: 'nothing' })).toBe(null);
  });

  it("is never above the model's or the setting's, and a power of two below", () => {
    const bytes = fc.integer({ min: 0, max: 10_000_000 });
    const size = fc.integer({ min: 2_048, max: 200_000 });
    const weights = fc.constantFrom(1.5e9, 70e9);
    const task = fc.integer({ min: 1, max: 8_000 });
    fc.assert(
      fc.property(bytes, task, size, size, weights, (text, asked, largest, allowed, ofModel) => {
        const model = modelOf(largest, { weights: ofModel });
        const { tokens, passageBytes, fits } = chooseWindows(text, asked, model, within(allowed)).window;
        const most = Math.min(largest, allowed);
        expect(tokens).toBeLessThanOrEqual(most);
        expect(tokens === most || Number.isInteger(Math.log2(tokens))).toBe(true);
        if (fits) expect(passageBytes).toBeGreaterThanOrEqual(text);
        expect(passageBytes).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('sizes in tokens', () => {
  it('are estimated by bytes, conservatively', () => {
    expect(tokensOf(0)).toBe(0);
    expect(tokensOf(4)).toBe(2);
    expect(messageTokens([{ role: 'user', content: '中文' }])).toBe(8);
  });
});
