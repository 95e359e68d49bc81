/** Replays sessions with the reference server (richardwhiteii/rlm): the same calls must give the same fields. */
import { beforeAll, describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import type { Result } from '../../src/index.ts';
import { ToolFailure } from '../../src/mcp/arguments.ts';
import { answerText, toAnswer } from '../../src/mcp/asking/answers.ts';
import type { AskedText } from '../../src/mcp/asking/asking.ts';
import { located } from '../../src/mcp/text/contexts.ts';
import { chunkText } from '../../src/mcp/text/documents.ts';
import { mcpTools } from '../../src/mcp/tools/index.ts';
import { openWorld, type World } from '../../src/mcp/world.ts';
import { failedResult } from '../../src/result.ts';

let world: World;
beforeAll(async () => {
  const flags = new Map([['provider', 'extractive']]);
  world = await openWorld({
    paths: [],
    flags,
    fileTools: [],
    index: null,
    onWatch: null,
    isShared: false,
    version: '0',
  });
  return () => world.close();
});

/** Checks the arguments like the server, and calls the tool. */
async function call(name: string, given: object): Promise<Record<string, unknown>> {
  const tool = mcpTools.find((one) => one.name === name)!;
  const signal = new AbortController().signal;
  const found = await tool.run(tool.input.parse(given), { world, signal, onEvent: () => {} });
  expect(tool.output.safeParse(found).error).toBeUndefined();
  return found as Record<string, unknown>;
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: unknown) => (error instanceof ToolFailure ? error.code : String(error)),
  );

const content = `${Array.from({ length: 250 }, (_, n) => `line ${n}: the pool has ${n} connections`).join('\n')}\n`;

describe('a session written for the reference server', () => {
  it('loads, inspects, cuts, reads, filters and lists', async () => {
    expect(await call('rlm_load_context', { name: 'log', content })).toMatchObject({
      status: 'loaded',
      name: 'log',
      length: content.length,
      lines: 250,
      hash: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(await call('rlm_inspect_context', { name: 'log' })).toMatchObject({
      name: 'log',
      length: content.length,
      lines: 250,
      preview: content.slice(0, 500),
      has_chunks: false,
      chunk_count: 0,
    });
    const chunked = await call('rlm_chunk_context', { name: 'log' });
    expect(chunked).toMatchObject({ status: 'chunked', name: 'log', strategy: 'lines', chunk_count: 3 });
    expect((chunked['chunks'] as object[])[1]).toMatchObject({
      index: 1,
      length: expect.any(Number),
      preview: content.split('\n').slice(100, 200).join('\n').slice(0, 100),
    });
    expect(await call('rlm_inspect_context', { name: 'log', preview_chars: 0 })).toMatchObject({
      preview: '',
      has_chunks: true,
      chunk_count: 3,
    });
    const { text } = await call('rlm_get_chunk', { name: 'log', chunk_index: 2 });
    expect(text).toBe(content.trimEnd().split('\n').slice(200).join('\n'));
    expect(await call('rlm_filter_context', { name: 'log', output_name: 'some', pattern: 'line 1\\d:' })).toMatchObject(
      {
        status: 'filtered',
        name: 'some',
        original_lines: 250,
        filtered_lines: 10,
        length: expect.any(Number),
      },
    );
    const { contexts } = await call('rlm_list_contexts', {});
    expect(contexts).toMatchObject([
      { name: 'log', length: content.length, lines: 250, chunked: true },
      { name: 'some', lines: 10, chunked: false },
    ]);
  });

  it('asks about a context, a chunk and many chunks', async () => {
    const query = 'What has 207 connections?';
    expect(await call('rlm_sub_query', { query, context_name: 'log', max_depth: 1 })).toMatchObject({
      provider: 'extractive',
      model: 'extractive',
      response: expect.stringContaining('the pool has 207 connections'),
      recursion: { max_depth: 1, depth_reached: expect.any(Number), call_trace: expect.any(Array) },
    });
    expect(await call('rlm_sub_query', { query, context_name: 'log', chunk_index: 2 })).toMatchObject({
      response: expect.stringContaining('207'),
      recursion: { max_depth: 0, depth_reached: 0 },
    });
    const batch = { query, context_name: 'log', chunk_indices: [0, 2], concurrency: 2, max_depth: 1 };
    expect(await call('rlm_sub_query_batch', batch)).toMatchObject({
      status: 'completed',
      total_chunks: 2,
      successful: 2,
      failed: 0,
      concurrency: 2,
      results: [
        { chunk_index: 0, response: expect.any(String), provider: 'extractive', model: 'extractive' },
        { chunk_index: 2, response: expect.stringContaining('207') },
      ],
      recursion: { max_depth: 1, max_depth_reached: expect.any(Number), total_recursive_calls: expect.any(Number) },
    });
  });

  it('fails with codes that its clients know', async () => {
    const codes: [string, object, string][] = [
      ['rlm_load_context', { name: '../x', content: 'a' }, 'invalid_context_name'],
      ['rlm_inspect_context', { name: 'none' }, 'context_not_found'],
      ['rlm_chunk_context', { name: 'log', size: 0 }, 'invalid_chunk_size'],
      ['rlm_chunk_context', { name: 'none' }, 'context_not_found'],
      ['rlm_get_chunk', { name: 'log', chunk_index: -1 }, 'invalid_chunk_index'],
      ['rlm_get_chunk', { name: 'log', chunk_index: 99 }, 'chunk_out_of_range'],
      ['rlm_get_chunk', { name: 'some', chunk_index: 0 }, 'context_not_chunked'],
      ['rlm_filter_context', { name: 'log', output_name: 'x', pattern: '(' }, 'invalid_regex'],
      ['rlm_filter_context', { name: 'log', output_name: '/x', pattern: 'line' }, 'invalid_context_name'],
      ['rlm_sub_query', { query: 'x', context_name: 'none' }, 'context_not_found'],
      ['rlm_sub_query', { query: 'x', context_name: 'log', chunk_index: 99 }, 'chunk_not_available'],
      ['rlm_sub_query', { query: 'x', context_name: 'log', chunk_index: -1 }, 'invalid_chunk_index'],
      ['rlm_sub_query', { query: 'x', context_name: 'log', max_depth: 6 }, 'invalid_max_depth'],
      [
        'rlm_sub_query_batch',
        { query: 'x', context_name: 'log', chunk_indices: [0], concurrency: 9 },
        'invalid_concurrency',
      ],
      ['rlm_sub_query_batch', { query: 'x', context_name: 'log', chunk_indices: [-1] }, 'invalid_chunk_indices'],
      ['rlm_sub_query_batch', { query: 'x', context_name: 'log', chunk_indices: [99] }, 'invalid_chunk_indices'],
      ['rlm_sub_query_batch', { query: 'x', context_name: 'some', chunk_indices: [0] }, 'context_not_chunked'],
      [
        'rlm_sub_query_batch',
        { query: 'x', context_name: 'log', chunk_indices: [0], max_depth: -1 },
        'invalid_max_depth',
      ],
    ];
    for (const [name, given, code] of codes) expect(await codeOf(call(name, given)), `${name} ${code}`).toBe(code);
  });
});

it('names the lines of the original when filtered documents would have the same name', async () => {
  const documents = [
    { name: 'a', text: 'no\npool one\n' },
    { name: 'a (filtered)', text: 'no\nno\npool two\npool three\n' },
  ];
  await world.contexts.load('twins', 'content', documents, new AbortController().signal);
  await call('rlm_filter_context', { name: 'twins', output_name: 'pools', pattern: 'pool' });
  await call('rlm_filter_context', { name: 'pools', output_name: 'pools', pattern: 'o$' });
  const { found } = await call('rlm_search', { context: 'pools', pattern: 'pool' });
  expect(found).toMatchObject([{ source: 'a (filtered)', start_line: 3, text: 'pool two' }]);
  await call('rlm_filter_context', { name: 'twins', output_name: 'pools', pattern: 'pool' });
  expect((await call('rlm_search', { context: 'pools', pattern: 'pool' }))['found']).toMatchObject([
    { source: 'a', start_line: 2, text: 'pool one' },
    { source: 'a (filtered)', start_line: 3, text: 'pool two' },
    { source: 'a (filtered)', start_line: 4, text: 'pool three' },
  ]);
});

it('leaves a computed value and the lines of a search server as they are, also if they are too many to list', async () => {
  await call('rlm_load_context', { name: 'own', content: 'no\npool a\nno\npool b\n' });
  await call('rlm_filter_context', { name: 'own', output_name: 'part', pattern: 'pool' });
  await call('rlm_chunk_context', { name: 'part', size: 1 });
  const served = { source: 'manual.md', startLine: 1, endLine: Number.MAX_SAFE_INTEGER };
  await world.contexts.use('own', async ({ locate }) => expect(located(served, locate)).toEqual(served));
  await world.contexts.use('part', async (part) => {
    expect(located(served, part.locate)).toEqual(served);
    const computed = { source: 'computed:query', startLine: 1, endLine: 3 };
    expect(located(computed, part.locate)).toEqual(computed);
    const { locate, documents } = chunkText(part, 1) as Extract<AskedText, { documents: unknown }>;
    expect(located(served, locate!)).toEqual(served);
    const own = { source: documents[0]!.name, startLine: 1, endLine: 1 };
    expect(located(own, locate!)).toEqual({ source: 'own', startLine: 4, endLine: 4 });
  });
});

it('names no lines that the filter left out', async () => {
  await call('rlm_load_context', { name: 'gaps', content: 'pool a\nno\npool b\npool c\nno\nno\npool d\n' });
  await call('rlm_filter_context', { name: 'gaps', output_name: 'kept', pattern: 'pool' });
  const { found } = await call('rlm_search', { context: 'kept', query: 'pool' });
  expect(found).toMatchObject([{ start_line: 1, end_line: 7, lines: '1, 3-4, 7' }]);
  const { locate } = await world.contexts.use('kept', async (context) => context);
  const passage = { source: 'gaps (filtered)', startLine: 2, endLine: 3 };
  expect(located(passage, locate)).toEqual({ source: 'gaps', startLine: 3, endLine: 4 });
  const cited = { ...passage, number: 1, quote: null, endLine: 4 };
  const result = { ...failedResult('q', new RlmError('usage', 'x')), answer: 'It is [1].' };
  const answer = toAnswer({ ...result, citations: [located(cited, locate)] } as unknown as Result);
  expect(answer.citations).toMatchObject([{ start_line: 3, end_line: 7, lines: '3-4, 7' }]);
  expect(answerText(answer)).toContain('[1] gaps:3-4, 7');
});

it('splits no character where it cuts a text', async () => {
  const text = `a${'😀'.repeat(30_000)}`;
  await call('rlm_load_context', { name: 'faces', content: text });
  await call('rlm_chunk_context', { name: 'faces', strategy: 'documents' });
  const read = (offset: number) => call('rlm_get_chunk', { name: 'faces', chunk_index: 0, offset });
  const first = await read(0);
  const rest = await read(first['next_offset'] as number);
  expect([first, rest].map((part) => (part['text'] as string).isWellFormed())).toEqual([true, true]);
  expect([`${first['text']}${rest['text']}`, rest['next_offset']]).toEqual([text, null]);
  expect(await read(2)).toMatchObject({ text: text.slice(1, 40_001), next_offset: 40_001 });
  const { found } = await call('rlm_search', { context: 'faces', pattern: 'a' });
  expect((found as { text: string }[]).map((one) => one.text.isWellFormed())).toEqual([true]);
});
