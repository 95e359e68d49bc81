import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { packageRoot } from '../../../src/config/package-root.ts';
import { tokensOf } from '../../../src/context/text-size.ts';
import { chooseWindows, messageTokens } from '../../../src/run/door/window.ts';

const { settings } = loadConfiguration({ cwd: packageRoot, env: { HOME: '/dev/null/nowhere' } });
const within = (maxWindowTokens: number) => ({ ...settings, context: { ...settings.context, maxWindowTokens } });

describe('the window of a run', () => {
  it.each([
    ['a short text', 1_000, 32_768, 8_192, true],
    ['a text that needs more', 20_000, 32_768, 16_384, true],
    ['a text that does not fit', 10_000_000, 32_768, 8_192, false],
    ['a text for a small model', 1_000, 4_096, 4_096, true],
    ['a model between two powers', 20_000, 10_000, 10_000, true],
    ['nothing', 0, 32_768, 8_192, true],
  ])('for %s', (_, bytes, largest, tokens, fits) => {
    const { window, widest } = chooseWindows(bytes, 50, largest, settings);
    expect(window).toMatchObject({ tokens, fits });
    expect(widest).toMatchObject({ tokens: Math.min(largest, settings.context.maxWindowTokens), fits });
  });

  it('has room for the passages of a question where the text does not fit', () => {
    const { passages, chunkTokens } = settings.context;
    expect(chooseWindows(1e9, 50, 32_768, settings).window.passageBytes).toBeGreaterThanOrEqual(
      passages * chunkTokens * 3,
    );
  });

  it('has room for the text shown before the passages', () => {
    const context = { ...settings.context, overlapTokens: 1_000 };
    const { passageBytes } = chooseWindows(1e9, 50, 32_768, { ...settings, context }).window;
    expect(passageBytes).toBeGreaterThanOrEqual(context.passages * (context.chunkTokens + 1_000) * 3);
  });

  it("is never above the model's or the setting, and a power of two below", () => {
    const bytes = fc.integer({ min: 0, max: 10_000_000 });
    const size = fc.integer({ min: 2_048, max: 200_000 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 8_000 }), size, size, (text, task, model, allowed) => {
        const { tokens, passageBytes, fits } = chooseWindows(text, task, model, within(allowed)).window;
        const largest = Math.min(model, allowed);
        expect(tokens).toBeLessThanOrEqual(largest);
        expect(tokens === largest || Number.isInteger(Math.log2(tokens))).toBe(true);
        if (fits) expect(passageBytes).toBeGreaterThanOrEqual(text);
        expect(passageBytes).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('sizes in tokens', () => {
  it('are estimated by bytes, on the safe side', () => {
    expect(tokensOf(0)).toBe(0);
    expect(tokensOf(4)).toBe(2);
    expect(messageTokens([{ role: 'user', content: '中文' }])).toBe(8);
  });
});
