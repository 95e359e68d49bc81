import { describe, expect, it } from 'vitest';
import { contentTerms } from '../../../src/context/words/terms.ts';
import { knownPairs } from '../../../src/providers/onnx/known-pairs.ts';
import { leastRight, shareRight } from '../../../src/providers/onnx/measure.ts';
import { installCommand } from '../../../src/providers/onnx/packages.ts';
import { createOnnxProvider } from '../../../src/providers/onnx/provider.ts';
import { windowsFor } from '../../../src/providers/onnx/windows.ts';
import { answerRequest, sampleRequest } from '../../contracts/sample-requests.ts';
import { errorOf } from '../../support/error-of.ts';
import { type FakeChecker, fakeOnnxPackages } from '../../support/fake-onnx-packages.ts';
import { passagesOf } from '../../support/passages.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const files = { 'nli/model.onnx': 'weights', 'nli/tokenizer.json': '{}' };

const make = (checker: FakeChecker, more: Readonly<Record<string, string>> = {}) =>
  createOnnxProvider({ model: 'nli', cwd: tempFolder({ ...files, ...more }), folder: fakeOnnxPackages(checker) });

const ask = (provider: ReturnType<typeof make>, claim: string, text: string) =>
  provider.call(sampleRequest({ prompt: 'check', variables: { claim, question: '', passages: passagesOf(text) } }), {
    signal,
  });

const yes = async (reply: ReturnType<typeof ask>) => {
  const { text, logprobs } = await reply;
  const odds = logprobs![1]!.alternatives.find(({ token }) => token === 'YES')!;
  return [JSON.parse(text).verdict, Math.exp(odds.logprob)];
};

describe('a checking model that is run as ONNX', () => {
  it('says how probably a text bears a claim out, once it has judged the known pairs rightly', async () => {
    const provider = make('knows');
    expect(await provider.inspect(signal)).toMatchObject({ model: 'nli', spends: 'tokens' });
    const text = `${'It rained on the quay all day. '.repeat(40)}The lamp was lit at dusk.`;
    expect(await yes(ask(provider, 'The lamp was lit at dusk.', text))).toEqual(['YES', expect.closeTo(0.953, 3)]);
    expect(await yes(ask(provider, 'The lamp was lit at dawn.', text))).toEqual(['NO', expect.closeTo(0.047, 3)]);
    await provider.close!();
  });

  it('is found by the known pairs where the names of its outputs do not say which means yes', async () => {
    expect(await yes(ask(make('turned'), 'It rained.', 'It rained.'))).toEqual(['YES', expect.closeTo(0.953, 3)]);
    const named = { 'nli/config.json': JSON.stringify({ id2label: { 0: 'contradiction', 1: 'entailment' } }) };
    expect(await errorOf(ask(make('turned', named), 'It rained.', 'It rained.'))).toMatchObject({
      code: 'request-refused',
    });
  });

  it('is not believed where it judges them badly', async () => {
    const error = await errorOf(ask(make('dull'), 'It rained.', 'It rained.'));
    expect(error).toMatchObject({ code: 'request-refused', hint: expect.stringMatching(/evidence\.check/) });
    expect(error.message).toMatch(/nli judges 50 of 100 known claims rightly, less than 80: it is not believed/);
  });

  it('reports errors of its folder, its packages, its file, and of other requests', async () => {
    const inFolder = (own: Readonly<Record<string, string>>) =>
      errorOf(createOnnxProvider({ model: 'nli', cwd: tempFolder(own), folder: null }).inspect(signal));
    expect(await inFolder({})).toMatchObject({
      code: 'model-missing',
      message: expect.stringMatching(/no model\.onnx/),
    });
    expect(await inFolder({ 'nli/onnx/model.onnx': '' })).toMatchObject({
      code: 'model-missing',
      message: expect.stringMatching(/tokenizer\.json cannot be read/),
    });
    const bare = createOnnxProvider({ model: 'nli/model.onnx', cwd: tempFolder(files), folder: tempFolder() });
    expect(await errorOf(bare.inspect(signal))).toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringMatching(/^onnxruntime-node, which runs ONNX models, is not installed in /),
      hint: `Install it (290 MB): ${installCommand()}`,
    });
    expect(await errorOf(ask(make('broken'), 'It rained.', 'It rained.'))).toMatchObject({
      code: 'provider-failed',
      message: expect.stringMatching(/nli could not be loaded: .*Protobuf/),
    });
    expect(await errorOf(make('knows').call(answerRequest(), { signal }))).toMatchObject({ code: 'request-refused' });
  });
});

describe('the known pairs', () => {
  it('cannot be separated by the words that text and claim share', () => {
    const shares = knownPairs.map(({ text, claim }) => {
      const said = [...new Set(contentTerms(claim))];
      return said.filter((term) => contentTerms(text).includes(term)).length / said.length;
    });
    const right = shares.map((least) =>
      shareRight(
        knownPairs,
        shares.map((share) => Number(share >= least)),
      ),
    );
    expect(Math.max(...right)).toBeLessThan(0.6);
    expect(
      shareRight(
        knownPairs,
        knownPairs.map(() => 1),
      ),
    ).toBe(0.5);
    expect(
      shareRight(
        knownPairs,
        knownPairs.map(({ isSupported }) => Number(isSupported)),
      ),
    ).toBeGreaterThan(leastRight);
  });
});

describe('the parts of a text that a claim is held against', () => {
  const countTokens = (text: string) => text.split(' ').filter(Boolean).length;

  it('are the text itself where it fits, else the best sentences together and the best runs, four at most', () => {
    expect(windowsFor(['One boat came. It was red.'], 'A red boat', 20, countTokens)).toEqual([
      'One boat came. It was red.',
    ]);
    const filler = Array.from({ length: 30 }, (_, at) => `Nobody spoke of matter ${at} again.`).join(' ');
    const windows = windowsFor(
      [`The boat came in. ${filler}`, `${filler} It was painted red.`],
      'A boat was red',
      12,
      countTokens,
    );
    expect(windows.length).toBeLessThanOrEqual(4);
    expect(windows[0]).toBe('The boat came in. It was painted red.');
    expect(windows.every((window) => countTokens(window) <= 12)).toBe(true);
  });

  it('hold a sentence that is longer than there is room for, in pieces', () => {
    const windows = windowsFor(['word '.repeat(500).trim()], 'word', 100, countTokens);
    expect(windows.every((window) => countTokens(window) <= 100)).toBe(true);
    expect(windowsFor([''], 'word', 100, countTokens)).toEqual([]);
  });
});
