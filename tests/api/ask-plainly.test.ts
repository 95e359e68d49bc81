import { describe, expect, it } from 'vitest';
import { askPlainly, cutMiddle } from '../../src/api/ask-plainly.ts';
import { type AskOptions, createScriptedProvider } from '../../src/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const away = { cwd: import.meta.dirname, env: { HOME: '/dev/null/nowhere' } };

async function plain(options: AskOptions, maxWindowTokens = 32_768, reading: 'all' | 'passages' = 'all') {
  const provider = createScriptedProvider({ query: 'It was four.' }, { maxWindowTokens });
  const result = await askPlainly('How large was the pool?', { ...away, ...options, provider }, reading);
  return { result, requests: provider.requests, prompt: provider.requests[0]?.messages.at(-1)?.content ?? '' };
}

const lines = Array.from({ length: 20_000 }, (_, at) => `Line ${at} is about nothing, ä and €.`).join('\n');

describe('a plain call', () => {
  it('holds all of the text, once, and the question before and after it', async () => {
    const documents = [
      { name: 'a.md', text: 'The pool was limited to 4.\n' },
      { name: 'b.md', text: 'Nothing.\n' },
    ];
    const { result, requests, prompt } = await plain({ documents });
    expect(result).toMatchObject({ status: 'answered', answer: 'It was four.', confidence: null, citations: [] });
    expect(result).toMatchObject({ usage: { calls: 1 }, warnings: [], recursionTree: { depth: 0, calls: 1 } });
    expect(requests).toHaveLength(1);
    expect(prompt.split('How large was the pool?')).toHaveLength(3);
    expect(prompt.split('The pool was limited to 4.')).toHaveLength(2);
    expect(prompt).toContain('source="b.md"');
  });

  it('leaves out the middle of a text that does not fit, and says so', async () => {
    const { result, prompt } = await plain({ documents: [{ name: 'long.txt', text: lines }] });
    expect(prompt).toContain('Line 0 is');
    expect(prompt).toContain('Line 19999 is');
    expect(prompt).not.toContain('Line 10000 is');
    expect(prompt).not.toContain('\ufffd');
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(30_000);
    expect(result).toMatchObject({
      warningCodes: ['unread'],
      warnings: [expect.stringMatching(/^the middle .*: [\d,]+ bytes of [\d,]+ bytes$/)],
    });
  });

  it('holds the best passages for the question, even if all of the text would fit', async () => {
    const text = `The pool was limited to 4.\n${'Nothing happened on that day, and nobody knows why.\n\n'.repeat(100)}`;
    const settings = { context: { passages: 1, chunkTokens: 50, overlapTokens: 0 } };
    const { prompt } = await plain({ documents: [{ name: 'a.md', text }], settings }, 32_768, 'passages');
    expect(prompt).toContain('The pool was limited to 4.');
    expect(prompt.length).toBeLessThan(1_000);
  });

  it('fails like a run', async () => {
    const provider = createScriptedProvider({});
    const result = await askPlainly('Q?', { ...away, documents: [{ name: 'a', text: 'x' }], provider });
    expect(result).toMatchObject({ status: 'failed', answer: null, error: { code: 'provider-failed' } });
  });

  it('is recorded and replayed', async () => {
    const folder = tempFolder({ 'a.md': 'The pool was limited to 4.\n' });
    const shared = { cwd: folder, paths: ['a.md'] };
    const { result } = await plain({ ...shared, record: 'r.jsonl' });
    const again = await askPlainly('How large was the pool?', { ...away, ...shared, replay: 'r.jsonl' });
    expect(again.answer).toBe(result.answer);
    expect(again.usage.replayedCalls).toBe(1);
  });
});

describe('cutting the middle', () => {
  it.each([
    [[10, 10], 20, [[[0, 10]], [[0, 10]]]],
    [
      [100],
      10,
      [
        [
          [0, 5],
          [95, 100],
        ],
      ],
    ],
    [[10, 80, 10], 20, [[[0, 10]], [], [[0, 10]]]],
    [
      [10, 80, 10],
      30,
      [
        [[0, 10]],
        [
          [0, 5],
          [75, 80],
        ],
        [[0, 10]],
      ],
    ],
    [
      [4, 100],
      9,
      [
        [[0, 4]],
        [
          [0, 1],
          [96, 100],
        ],
      ],
    ],
    [[5], 0, [[]]],
  ])('%j to %d bytes', (sizes, room, wanted) => {
    expect(cutMiddle(sizes, room)).toEqual(wanted);
  });
});
