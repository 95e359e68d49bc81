import { describe, expect, test, vi } from 'vitest';
import type { ToolSpec } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { said } from '../../servers/anthropic-wire.ts';
import { faults } from '../../servers/faults.ts';
import { signal } from '../server-fixture.ts';
import { useAnthropic } from './fixture.ts';

const anthropic = useAnthropic();

const search: ToolSpec = {
  name: 'search_context',
  about: 'Searches the text.',
  schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

describe('a reply', () => {
  test('has text, tokens and an end, and reports progress', async () => {
    const provider = await anthropic.provider('ten letters', { pieceLength: 4 });
    const counts: number[] = [];
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply).toEqual({
      text: 'ten letters',
      toolCalls: [],
      tokens: { input: expect.any(Number), output: expect.any(Number), cacheRead: 0, cacheWritten: 0 },
      finish: 'stop',
    });
    expect([...new Set(counts)]).toEqual([0, 4, 8, 11]);
  });

  test('counts tokens read from and written to the cache as input', async () => {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000 };
    const { tokens } = await anthropic.call(said([{ type: 'text', text: 'x' }], { usage }));
    expect(tokens).toMatchObject({ input: 3210, cacheRead: 3000, cacheWritten: 200 });
  });

  test('excludes thinking from the text, and includes it in the progress', async () => {
    const provider = await anthropic.provider(faults.thinking('hmm, well', '{"answer":"x"}'));
    const counts: number[] = [];
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply.text).toBe('{"answer":"x"}');
    expect(counts.at(-1)).toBe('hmm, well{"answer":"x"}'.length);
  });

  test('has tool calls: with arguments, without, and cut short', async () => {
    const use = (id: string, json: string) => ({ type: 'tool_use', id, name: 'search_context', json }) as const;
    const blocks = [
      { type: 'text', text: 'Let me look.' } as const,
      use('t1', '{"query":"ü"}'),
      use('t2', ''),
      use('', '{"que'),
    ];
    const reply = await anthropic.call(said(blocks), { tools: [search], schema: null }, { pieceLength: 3 });
    expect(reply).toMatchObject({ text: 'Let me look.', finish: 'stop' });
    expect(reply.toolCalls).toEqual([
      { id: 't1', name: 'search_context', arguments: { query: 'ü' } },
      { id: 't2', name: 'search_context', arguments: {} },
      { id: 'call_3', name: 'search_context', arguments: '{"que' },
    ]);
  });

  test.each([1, 2, 3, 5])('keeps characters that are split into writes of %i bytes', async (bytesPerWrite) => {
    const text = 'ü – 漢字 🙂 "quoted"\n\u001b[31m';
    expect((await anthropic.call(text, {}, { bytesPerWrite })).text).toBe(text);
  });

  test('may be empty', async () => {
    expect(await anthropic.call('')).toMatchObject({ text: '', finish: 'stop' });
  });

  test('that was stopped by its limit is marked so', async () => {
    expect(await anthropic.call(faults.lengthLimit('half'))).toMatchObject({ text: 'half', finish: 'length' });
  });

  test('is complete even if it is huge, slow, or never ended after its last event', async () => {
    const text = 'x'.repeat(5_000_000);
    expect((await anthropic.call(text, {}, { pieceLength: 100_000 })).text).toHaveLength(5_000_000);
    expect((await anthropic.call(faults.drip('slow but complete', 2))).text).toBe('slow but complete');
    expect((await anthropic.call(faults.endlessAfterDone('whole'))).text).toBe('whole');
    await vi.waitFor(() => expect(anthropic.server.openSockets()).toBe(0), 5000);
  });

  test('leaves its connection for the next', async () => {
    const provider = await anthropic.provider('x');
    await provider.inspect(signal);
    for (let count = 0; count < 5; count++) await provider.call(answerRequest(), { signal });
    // A call may begin before the response of the last one has ended on the wire.
    expect(anthropic.server.openSockets()).toBeLessThanOrEqual(2);
  });

  test('of a deprecated model prints nothing', async () => {
    const name = 'claude-sonnet-4-5';
    const provider = await anthropic.provider('x', { models: [{ id: name, lifecycle: 'deprecated' }] }, name);
    expect((await provider.call(answerRequest(), { signal })).text).toBe('x');
  });
});
