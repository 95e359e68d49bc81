import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { createGate } from '../support/gate.ts';
import { connect, startRaw } from './mcp-client.ts';
import { goodHandlers, goodText, startServer } from './replies.ts';
import { createFolder, rlm, startRlm } from './run-rlm.ts';

const extractive = ['-p', 'extractive'];
const notes = () => createFolder({ 'docs/notes.md': goodText, 'secret.txt': 'the password is hunter22' });
const outside = createFolder({ 'key.txt': 'outside-secret-7731' });

const line = (n: number) => `2026-03-17T10:00:00Z INFO request ${n} took ${n % 97} ms on node-${n % 7}\n`;
const log = Array.from({ length: 12_000 }, (_, n) => line(n)).join('');
const last = 'the pool was lowered to 4\n';

describe('rlm mcp with files and without a model', () => {
  let server: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    const files = { 'docs/notes.md': goodText, 'secret.txt': 'the password is hunter22' };
    const cwd = createFolder({ ...files, 'logs/app.log': log, 'logs/end.log': last });
    symlinkSync(join(outside, 'key.txt'), join(cwd, 'docs', 'link.txt'));
    symlinkSync(outside, join(cwd, 'docs', 'folder'));
    const args = ['docs', 'logs', ...extractive, '--tools', 'grep,read_file'];
    server = await connect({ args, cwd, isShared: true });
  });

  it('lists its tools with titles, schemas and annotations, always in the same order', async () => {
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'rlm_ask',
      'rlm_search',
      'rlm_query',
      'rlm_start',
      'rlm_result',
      'rlm_runs',
      'rlm_load_context',
      'rlm_inspect_context',
      'rlm_chunk_context',
      'rlm_get_chunk',
      'rlm_filter_context',
      'rlm_list_contexts',
      'rlm_sub_query',
      'rlm_sub_query_batch',
      'grep',
      'read_file',
    ]);
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description!.length, tool.name).toBeGreaterThan(40);
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.annotations, tool.name).toMatchObject({ destructiveHint: false });
    }
    expect(tools.find(({ name }) => name === 'rlm_search')!.annotations).toMatchObject({ readOnlyHint: true });
    expect(tools.find(({ name }) => name === 'rlm_ask')!.annotations).toMatchObject({ openWorldHint: true });
  });

  it('asks about files under its roots, with citations as text and as data, and reports progress', async () => {
    const { call } = server;
    const told: string[] = [];
    const asked = { question: 'To how many connections was it lowered?', paths: ['docs/*.md'] };
    const { data, text } = await call('rlm_ask', asked, { onProgress: (message) => told.push(message) });
    expect(data).toMatchObject({ status: 'answered', provider: 'extractive', error: null });
    expect(data.answer).toMatch(/from 40 to 4 connections/);
    expect(data.citations[0]).toMatchObject({ source: 'docs/notes.md', start_line: 2, end_line: 2 });
    expect(text).toMatch(/Sources:\n\[1] docs\/notes\.md:2: /);
    expect(told[0]).toBe('started');
    expect(told.join('\n')).toMatch(/run \d{8}T\d{6}-[0-9a-f]{6} started/);
  });

  it('loads a folder by path, cuts, filters and searches them', async () => {
    const { call } = server;
    const loaded = await call('rlm_load_context', { name: 'log', path: 'logs' });
    expect(loaded.data).toMatchObject({ status: 'loaded', name: 'log', lines: 12_001, documents: 2 });
    expect(loaded.data.bytes).toBe(log.length + last.length);
    const cut = await call('rlm_chunk_context', { name: 'log', strategy: 'lines', size: 1_000, offset: 11 });
    expect(cut.data).toMatchObject({ chunk_count: 13, next_offset: null });
    expect(cut.data.chunks.map(({ index }: { index: number }) => index)).toEqual([11, 12]);
    const chunk = await call('rlm_get_chunk', { name: 'log', chunk_index: 12 });
    expect(chunk.text).toBe('the pool was lowered to 4');
    const filtered = await call('rlm_filter_context', { name: 'log', output_name: 'n3', pattern: 'node-3$' });
    expect(filtered.data).toMatchObject({ original_lines: 12_001, filtered_lines: 1_714 });
    const rest = await call('rlm_filter_context', { name: 'log', output_name: 'r', pattern: 'INFO', mode: 'remove' });
    expect(rest.data).toMatchObject({ filtered_lines: 1 });
    const found = await call('rlm_search', { context: 'log', query: 'pool lowered', limit: 1 });
    expect(found.data.found[0].text).toContain('the pool was lowered to 4');
    const tables = await call('rlm_query', { context: 'log' });
    expect(tables.text).toMatch(/^lines: .*12,001 rows/m);
    const counted = await call('rlm_query', {
      context: 'log',
      sql: 'select document, number from lines order by number desc',
    });
    expect(counted.data).toMatchObject({ row_count: 12_001, more_citations: expect.any(Number) });
    expect(counted.data.rows).toHaveLength(100);
    const wrong = await call('rlm_query', { context: 'log', sql: 'select lvl from lines' });
    expect(wrong.text).toContain('lines(document, number, text)');
    const answer = await call('rlm_ask', { question: 'What was the pool lowered to?', context: 'log' });
    expect(answer.data.citations[0]).toMatchObject({ source: 'logs/end.log', start_line: 1 });
  });

  it('cites the original lines of filtered texts and of chunks', async () => {
    const { call } = server;
    const citation = { source: 'logs/app.log', start_line: 10_001, end_line: 10_001 };
    await call('rlm_load_context', { name: 'all', path: 'logs' });
    await call('rlm_filter_context', { name: 'all', output_name: 'few', pattern: 'request 1000\\d ' });
    const question = 'How long did request 10000 take?';
    const answer = await call('rlm_ask', { question, context: 'few' });
    expect(answer.data.citations[0]).toMatchObject(citation);
    const found = await call('rlm_search', { context: 'few', pattern: 'request 10000' });
    expect(found.data.found).toMatchObject([citation]);
    await call('rlm_filter_context', { name: 'few', output_name: 'fewer', pattern: 'request 1000[05] ' });
    await call('rlm_chunk_context', { name: 'fewer', strategy: 'lines', size: 1 });
    expect((await call('rlm_get_chunk', { name: 'fewer', chunk_index: 1 })).data).toMatchObject({ start_line: 10_006 });
    await call('rlm_chunk_context', { name: 'all', strategy: 'lines', size: 1_000 });
    const one = await call('rlm_sub_query', { query: question, context_name: 'all', chunk_index: 10 });
    expect(one.data.result.citations[0]).toMatchObject(citation);
    const batch = await call('rlm_sub_query_batch', { query: question, context_name: 'all', chunk_indices: [10] });
    expect(batch.data.results[0]).toMatchObject({ run_id: expect.any(String), citations: [citation] });
  });

  it.each([
    ['rlm_ask', { question: 'x', path: 'docs' }, /"path".*"paths"/],
    ['rlm_ask', { paths: ['docs'] }, /"question" is missing/],
    ['rlm_search', { query: 'x', limit: 'many' }, /"limit"/],
    ['rlm_list_contexts', { all: true }, /"all"/],
  ])('%s refuses %j with an error object', async (name, given, message) => {
    const { isError, text } = await server.call(name, given);
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_arguments', message: expect.stringMatching(message) });
  });

  it('reads nothing outside its roots, for any path or link', async () => {
    const { call } = server;
    const told: string[] = [];
    await call('grep', { pattern: 'pool' }, { onProgress: (message) => told.push(message) });
    expect(told).toEqual(['started']);
    const paths = [
      join(outside, 'key.txt'),
      'secret.txt',
      '../secret.txt',
      'docs/../secret.txt',
      'docs/link.txt',
      'docs/folder/key.txt',
      'docs/folder/*.txt',
      '/etc/passwd',
      '/proc/self/environ',
      'docs/notes.md\0.txt',
      '~/.ssh/id_rsa',
      '',
      '-',
      'file:///etc/passwd',
      'http://127.0.0.1:1/',
    ];
    for (const path of paths) {
      const loaded = await call('rlm_load_context', { name: 'x', path });
      const asked = await call('rlm_ask', { question: 'What is the password?', paths: [path] });
      const read = await call('read_file', { path });
      for (const { text, isError } of [loaded, asked, read]) {
        expect(isError, path).toBe(true);
        expect(text, path).not.toMatch(/outside-secret|hunter22|root:|PATH=/);
      }
    }
    const all = await call('rlm_load_context', { name: 'all', path: 'docs' });
    expect(all.data).toMatchObject({ documents: 1, bytes: goodText.length });
  });
});

describe('rlm mcp with a model server', () => {
  let answering: () => object | Promise<object>;
  let model: Awaited<ReturnType<typeof startServer>>;
  let mcp: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    model = await startServer({ answer: () => answering() });
    const args = ['docs', '-p', 'ollama', '--max-calls', '3', '--concurrency', '2'];
    mcp = await connect({ args, cwd: notes(), env: { ...model.env, RLM_HOME: createFolder() }, isShared: true });
  });
  beforeEach(() => {
    answering = () => goodHandlers.answer;
  });

  it('ends a run within a second when the client cancels, and keeps it', async () => {
    let waits: () => void;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    answering = () => {
      waits();
      return faults.stallMidStream();
    };
    const { call } = mcp;
    const controller = new AbortController();
    const asked = call('rlm_ask', { question: 'How large was the pool?' }, { signal: controller.signal });
    asked.catch(() => {});
    await waiting;
    controller.abort();
    await expect(asked).rejects.toThrow();
    let runs = (await call('rlm_runs')).data.runs;
    while (runs[0]?.status === 'running') runs = (await call('rlm_runs')).data.runs;
    expect(runs[0]).toMatchObject({ status: 'cancelled', resumable: true });
  });

  it("asks a model server with the user's settings; no request can raise a limit", async () => {
    const { call } = mcp;
    const asked = { question: 'How large was the pool?', max_calls: 500, paths: ['docs'] };
    const { data } = await call('rlm_ask', asked);
    expect(data).toMatchObject({ status: 'answered', provider: 'ollama' });
    expect(data.calls).toBeLessThanOrEqual(3);
    expect(data.warnings).toContainEqual(expect.stringMatching(/^max_calls 500 .*using 3$/));
    const other = await call('rlm_ask', { ...asked, provider: 'anthropic' });
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('provider_not_allowed') });
    const preset = await call('rlm_sub_query', { query: 'x', context_name: 'y', tier_strategy: 'quality-first' });
    expect(preset.isError).toBe(true);
  });

  it('answers many calls concurrently, within the limit of requests to the server', async () => {
    const bothWait = createGate(2);
    const good = { answer: 'It was lowered to 4 [P1].', citations: [], assumptions: [] };
    answering = async () => {
      await bothWait();
      return good;
    };
    const asked = Array.from({ length: 20 }, (_, n) =>
      mcp.call('rlm_ask', { question: `How large was the pool, ${n}?` }),
    );
    const results = await Promise.all(asked);
    expect(results.filter(({ data }) => data?.status === 'answered')).toHaveLength(20);
    expect(new Set(results.map(({ data }) => data.run_id)).size).toBe(20);
    expect(model.maxInFlight).toBe(2);
  });
});

describe('rlm mcp', () => {
  it('continues a started run after it was killed during a call', async () => {
    const cwd = notes();
    const state = createFolder();
    let waits: () => void;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    let isFirst = true;
    const good = {
      answer: 'It was lowered to 4 [P1].',
      citations: [{ passage: 'P1', quote: 'from 40 to 4' }],
      assumptions: [],
    };
    const server = await startServer({
      answer: () => {
        if (!isFirst) return good;
        isFirst = false;
        waits();
        return faults.stallMidStream();
      },
    });
    const options = { args: ['docs', '-p', 'ollama'], cwd, env: { ...server.env, RLM_HOME: state } };
    const first = await connect(options);
    const { data: started } = await first.call('rlm_start', { question: 'How large was the pool?' });
    await waiting;
    process.kill(first.pid, 'SIGKILL');
    const second = await connect(options);
    let polled = await second.call('rlm_result', { run_id: started.run_id, wait_seconds: 20 });
    while (polled.data?.status === 'running')
      polled = await second.call('rlm_result', { run_id: started.run_id, wait_seconds: 20 });
    expect(polled.data.result).toMatchObject({ run_id: started.run_id, status: 'answered' });
    expect(polled.data.result.answer).toContain('lowered to 4');
    const foreign = await second.call('rlm_result', { run_id: '20200101T000000-abcdef' });
    expect(foreign.text).toContain('run_not_found');
  });

  it('resumes a run within the limits of the server, also if the run had higher limits', async () => {
    const place = { cwd: notes(), env: { RLM_HOME: createFolder() } };
    let isStopped = true;
    const parts = ['How?', 'When?', 'Who?', 'Why?'].map((question) => ({ question, needs: [] }));
    const server = await startServer({
      decompose: () => (isStopped ? faults.status(400) : { subQuestions: parts }),
      answer: () => (isStopped ? faults.status(400) : goodHandlers.answer),
    });
    const env = { ...server.env, ...place.env, RLM_PLANNER: 'never' };
    const asking = [
      'ask',
      'How did the pool change?',
      'docs',
      '--strategy',
      'decompose',
      '--max-calls',
      '40',
      '--json',
    ];
    const { runId } = JSON.parse((await rlm(asking, { cwd: place.cwd, env })).stdout);
    isStopped = false;
    const before = server.requests.length;
    const { call } = await connect({ args: ['docs', '-p', 'ollama', '--max-calls', '4'], cwd: place.cwd, env });
    const { data } = await call('rlm_result', { run_id: runId, wait_seconds: 50 });
    expect(data).toMatchObject({ status: 'ended', result: { run_id: runId } });
    expect(server.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('tells the id of a started run also while it waits for other runs', async () => {
    const server = await startServer({ answer: () => faults.stallMidStream() });
    const { call, close } = await connect({ args: ['docs', '-p', 'ollama'], cwd: notes(), env: server.env });
    const asked = Array.from({ length: 4 }, (_, at) => call('rlm_ask', { question: `How large was pool ${at}?` }));
    const lost = Promise.allSettled(asked);
    const { data: started } = await call('rlm_start', { question: 'How large was the pool?' });
    expect(started).toMatchObject({ run_id: expect.stringMatching(/^\d{8}T\d{6}-/), status: 'running' });
    const { data: polled } = await call('rlm_result', { run_id: started.run_id, wait_seconds: 0 });
    expect(polled).toMatchObject({ status: 'running', calls: 0 });
    await close();
    await lost;
  });

  it('keeps a context for later sessions, and refuses a changed one', async () => {
    const state = createFolder();
    const options = { args: ['docs', ...extractive], cwd: notes(), env: { RLM_HOME: state } };
    const first = await connect(options);
    await first.call('rlm_load_context', { name: 'kept', path: 'docs', persist: true });
    await first.call('rlm_load_context', { name: 'changed', path: 'docs', persist: true });
    await first.call('rlm_load_context', { name: 'gone', content: 'x' });
    await first.close();
    const file = join(state, 'contexts', 'changed.context');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Orders failed', 'Orders passed'));
    const second = await connect(options);
    expect((await second.call('rlm_list_contexts')).data).toEqual({ contexts: [], kept: ['changed', 'kept'] });
    const asked = await second.call('rlm_ask', {
      question: 'To how many connections was it lowered?',
      context: 'kept',
    });
    expect(asked.data.citations[0]).toMatchObject({ source: 'docs/notes.md', start_line: 2 });
    expect((await second.call('rlm_inspect_context', { name: 'gone' })).text).toContain('context_not_found');
    expect((await second.call('rlm_inspect_context', { name: 'changed' })).text).toContain('is damaged');
    const damaged = second.client.readResource({ uri: 'rlm://contexts/changed' });
    await expect(damaged).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('is damaged') });
  });

  it('offers runs and contexts to read, and a prompt', async () => {
    const { client, call } = await connect({ args: ['docs', ...extractive], cwd: notes() });
    await call('rlm_load_context', { name: 'notes', path: 'docs' });
    const { data } = await call('rlm_ask', { question: 'What was the pool lowered to?', context: 'notes' });
    const { resources } = await client.listResources();
    const ofRun = `rlm://runs/${data.run_id}`;
    expect(resources.map(({ uri }) => uri)).toEqual([ofRun, `${ofRun}/report`, 'rlm://contexts/notes']);
    const { contents } = await client.readResource({ uri: `${ofRun}/report` });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/html',
      text: expect.stringContaining('What was the pool lowered'),
    });
    for (const uri of ['runs/20200101T000000-abcdef/report', 'runs/../../x', 'contexts/none', 'contexts/%zz'])
      await expect(client.readResource({ uri: `rlm://${uri}` })).rejects.toMatchObject({ code: -32602 });
    const run = await client.readResource({ uri: ofRun });
    expect(JSON.parse((run.contents[0] as { text: string }).text)).toMatchObject({ runId: data.run_id });
    const text = await client.readResource({ uri: 'rlm://contexts/notes' });
    expect((text.contents[0] as { text: string }).text).toContain(goodText);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'ask-with-evidence',
      'role-architecture',
      'role-debugger',
      'role-repo-mapper',
      'role-validation',
    ]);
    const { messages } = await client.getPrompt({
      name: 'ask-with-evidence',
      arguments: { question: 'Why?', paths: 'docs' },
    });
    expect(JSON.stringify(messages)).toContain('rlm_ask');
  });

  it('accepts only content without roots, and ends when its client closes stdin', async () => {
    const raw = startRaw({ args: extractive, cwd: notes() });
    const reply = await raw.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    });
    expect(reply).toMatchObject({ result: { protocolVersion: '2025-06-18', serverInfo: { name: 'rlm' } } });
    const call = async (name: string, given: object) =>
      JSON.stringify((await raw.request('tools/call', { name, arguments: given }))['result']);
    expect(await call('rlm_load_context', { name: 'x', path: 'docs' })).toContain('path_not_allowed');
    expect(await call('rlm_ask', { question: 'What is it?' })).toContain('no_text');
    const asked = { question: 'What was the pool lowered to?', content: goodText };
    expect(await call('rlm_ask', asked)).toMatch(/"source":"content","start_line":2\b/);
    raw.child.stdin!.end();
    expect(await raw.exited).toBe(0);
  });

  it.each([
    ['SIGTERM', 'idle', 143],
    ['SIGINT', 'idle', 130],
    ['SIGHUP', 'idle', 129],
    ['SIGTERM', 'busy', 143],
    ['SIGTERM', 'querying', 143],
    ['SIGTERM', 'unread', 143],
  ] as const)('ends by the first %s while its client keeps stdin open: %s', async (signal, state, code) => {
    const isAsked = createGate(2);
    const answer = () => isAsked().then(() => faults.stallMidStream());
    const model = await startServer({ answer });
    const raw = startRaw({ args: ['docs', '-p', 'ollama'], cwd: notes(), env: model.env });
    const exited = once(raw.child, 'exit');
    const clientInfo = { name: 'test', version: '1' };
    await raw.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    if (state === 'busy') {
      void raw.request('tools/call', { name: 'rlm_ask', arguments: { question: 'How large was the pool?' } });
      await isAsked();
    }
    if (state === 'querying') {
      const sql =
        'with recursive c(n) as (select 1 union all select n + 1 from c where n < 1e12) select count(*) from c';
      void raw.request('tools/call', { name: 'rlm_query', arguments: { paths: ['docs'], sql } });
      await raw.request('tools/call', { name: 'rlm_query', arguments: { paths: ['docs'] } });
    }
    // More than fits the pipe, so that the server cannot write all of it.
    if (state === 'unread') {
      const [first] = Array.from({ length: 30 }, () => raw.request('tools/list', {}));
      await first;
      raw.child.stdout!.pause();
    }
    raw.child.kill(signal);
    expect(await exited).toEqual([code, null]);
  });

  it('refuses a line that is larger than any message, and ends with an error', async () => {
    const line = (stdin: Writable) =>
      void Readable.from(Array.from({ length: 161 }, () => 'a'.repeat(1024 ** 2))).pipe(stdin);
    const { code, stdout, stderr } = await rlm(['mcp', ...extractive], { stdin: line });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'rlm: the client sent a line that is larger than 160 MB\n' });
    expect(JSON.parse(stdout)).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  it('names the nearest argument for one that a tool or a prompt does not have', async () => {
    const names = ['list_files', 'grep', 'read_file', 'extract_symbols'];
    const { client, call } = await connect({ args: ['docs', '--tools', names.join(','), ...extractive], cwd: notes() });
    for (const name of [...names, 'rlm_search'])
      expect(await call(name, { pathh: 'docs', pattern: 'pool' }), name).toMatchObject({
        isError: true,
        text: expect.stringMatching(/"invalid_arguments".*no argument \\"pathh\\".*Did you mean \\"paths?\\"\?/),
      });
    expect((await call('list_files', {})).isError).toBe(false);
    const given = { question: 'Why?', pathh: 'docs' };
    const prompted = client.getPrompt({ name: 'ask-with-evidence', arguments: given });
    await expect(prompted).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('"paths"') });
  });

  it('reports errors in its arguments before it serves', async () => {
    const missing = await rlm(['mcp', 'nowhere']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('nowhere');
    expect(await rlm(['mcp', '--tools', 'grep'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('at least one root'),
    });
    expect((await rlm(['mcp', '.', '--tools', 'grip'])).stderr).toContain('Did you mean grep?');
    expect((await rlm(['mcp', '.', '--tools', 'grep,note'])).stderr).toContain('"note" works only in a run');
    expect(await rlm(['mcp', '--http', 'x'])).toMatchObject({ code: 2 });
    expect((await rlm(['mcp', '--write'])).stderr).toContain('--write needs install');
  });
});

describe('rlm mcp --http', () => {
  /** Starts the server over HTTP. Returns its address and token. */
  async function serve(cwd: string) {
    const running = startRlm(['mcp', 'docs', '--http', '0', ...extractive], { cwd });
    await running.shows('stderr', 'Bearer');
    return running;
  }

  async function post(address: string, headers: Record<string, string>, name: string, given: object) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const accept = 'application/json, text/event-stream';
    const all = { 'content-type': 'application/json', accept, ...headers };
    const response = await fetch(address, { method: 'POST', headers: all, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }

  it('serves only clients with the token, on this machine, and separates them', async () => {
    const running = await serve(notes());
    running.kill('SIGINT');
    const { stderr } = await running.done;
    const token = /Bearer (\S+)/.exec(stderr)![1]!;
    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(token.length).toBeGreaterThan(24);
  });

  it('refuses other sites, other hosts and other tokens', async () => {
    const cwd = createFolder({ 'docs/notes.md': goodText, token: 'a-token-of-our-own-0123456789\n' });
    const args = ['mcp', 'docs', '--http', '0', '--token-file', 'token', ...extractive];
    let stderr = '';
    const running = startRlm(args, { cwd });
    await running.shows('stderr', '/mcp');
    running.done.then((finished) => (stderr = finished.stderr));
    const address = await running.found('stderr', /http:\S+\/mcp/);
    const own = { authorization: 'Bearer a-token-of-our-own-0123456789' };
    const asked = { question: 'What was the pool lowered to?' };
    const good = await post(address, own, 'rlm_ask', asked);
    expect(good.status).toBe(200);
    expect(good.text).toContain('from 40 to 4');
    expect((await post(address, {}, 'rlm_ask', asked)).status).toBe(401);
    expect((await post(address, { authorization: 'Bearer other' }, 'rlm_ask', asked)).status).toBe(401);
    expect((await post(address, { ...own, origin: 'https://evil.example' }, 'rlm_ask', asked)).status).toBe(403);
    expect((await post(address.replace('/mcp', '/'), own, 'rlm_ask', asked)).status).toBe(404);

    const loaded = await post(address, own, 'rlm_load_context', { name: 'mine', path: 'docs' });
    const handle = /"name":"(mine\.[\w-]+)"/.exec(loaded.text)![1]!;
    expect((await post(address, own, 'rlm_inspect_context', { name: handle })).text).toContain('"has_chunks":false');
    expect((await post(address, own, 'rlm_inspect_context', { name: 'mine' })).text).toContain('context_not_found');
    expect((await post(address, own, 'rlm_list_contexts', {})).text).not.toContain(handle);
    running.kill('SIGTERM');
    await running.done;
    expect(stderr).not.toContain('a-token-of-our-own');
  });
});

describe('rlm mcp install', () => {
  it('prints the entry of each client, and changes nothing', async () => {
    const cwd = createFolder();
    for (const client of ['claude-desktop', 'windsurf', 'lm-studio', 'zed']) {
      const { code, stdout, stderr } = await rlm(['mcp', 'install', client, 'docs'], { cwd });
      expect(code, stderr).toBe(0);
      const [servers] = Object.values(JSON.parse(stdout)) as [{ rlm: { command: string; args: string[] } }];
      expect(servers.rlm.args.slice(-2)).toEqual(['mcp', join(cwd, 'docs')]);
      expect(stderr).toContain('--write');
    }
    expect(existsSync(join(cwd, '.mcp.json'))).toBe(false);
    const codex = await rlm(['mcp', 'install', 'codex'], { cwd });
    expect(codex.stdout).toMatch(/^\[mcp_servers\.rlm]\ncommand = ".*"\nargs = \[.*"mcp".*\ntool_timeout_sec = 600\n/);
    expect((await rlm(['mcp', 'install', 'vscod'], { cwd })).stderr).toContain('Did you mean vscode?');
  });

  it('names no path of this machine in a file of the project', async () => {
    const cwd = createFolder();
    const workspace = ['$', '{workspaceFolder}'].join('');
    const folders = {
      'claude-code': 'docs',
      vscode: `${workspace}/docs`,
      cursor: `${workspace}/docs`,
      gemini: 'docs',
    };
    for (const [client, folder] of Object.entries(folders)) {
      const [servers] = Object.values(JSON.parse((await rlm(['mcp', 'install', client, 'docs'], { cwd })).stdout)) as [
        { rlm: { command: string; args: string[] } },
      ];
      expect([client, servers.rlm]).toMatchObject([client, { command: 'rlm', args: ['mcp', folder] }]);
    }
    const dotted = await rlm(['mcp', 'install', 'claude-code', '..docs', '../docs'], { cwd });
    expect(JSON.parse(dotted.stdout).mcpServers.rlm.args).toEqual(['mcp', '..docs', join(cwd, '../docs')]);
    const opencode = JSON.parse((await rlm(['mcp', 'install', 'opencode'], { cwd })).stdout);
    expect(opencode.mcp.rlm).toMatchObject({ type: 'local', command: ['rlm', 'mcp', '.'], timeout: 600_000 });
  });

  it('writes the entry, keeps the rest including comments, and shows the difference', async () => {
    const cwd = createFolder({ '.vscode/mcp.json': '{\n  // mine\n  "servers": { "other": { "command": "x" } }\n}\n' });
    const first = await rlm(['mcp', 'install', 'vscode', '--write'], { cwd });
    expect(first.stdout).toMatch(/^\+ .*"rlm"/m);
    const text = readFileSync(join(cwd, '.vscode', 'mcp.json'), 'utf8');
    expect(text).toContain('// mine');
    expect(text).toContain('"other"');
    expect(text).toContain('"rlm"');
    const second = await rlm(['mcp', 'install', 'vscode', '--write'], { cwd });
    expect(second.stderr).toContain('already has the entry');
    writeFileSync(join(cwd, '.mcp.json'), 'not json');
    const broken = await rlm(['mcp', 'install', 'claude-code', '--write'], { cwd });
    expect(broken.code).toBe(3);
    expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe('not json');
  });

  const install = (client: string, home: string) =>
    rlm(['mcp', 'install', client, '--write'], { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: home } });

  it.each(['\t', '  ', '    ', ''])('keeps the indentation and the end of the file: %j', async (indent) => {
    const other = { command: 'x', args: ['a', 'b'] };
    for (const end of ['', '\n']) {
      const home = createFolder({
        '.mcp.json': JSON.stringify({ mcpServers: { other }, more: [1, 2] }, null, indent) + end,
      });
      await install('claude-code', home);
      const text = readFileSync(join(home, '.mcp.json'), 'utf8');
      expect(text.replace(/^.*"rlm": \{"/, (line) => line.replace('": ', '":'))).toBe(
        JSON.stringify(JSON.parse(text), null, indent) + end,
      );
      expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(['other', 'rlm']);
    }
  });

  it('keeps the env and other keys of an old entry, and shows none of its secrets', async () => {
    const env = { OPENAI_API_KEY: 'sk-planted-0123456789', RLM_MODEL: 'qwen3:4b' };
    const home = createFolder({
      '.mcp.json': JSON.stringify({ mcpServers: { rlm: { command: 'old', env, disabled: true } } }),
    });
    const { code, stdout, stderr } = await install('claude-code', home);
    expect({ code, stdout: stdout.includes('qwen3:4b') }, stderr).toEqual({ code: 0, stdout: true });
    expect(stdout + stderr).not.toContain('planted');
    const entry = JSON.parse(readFileSync(join(home, '.mcp.json'), 'utf8')).mcpServers.rlm;
    expect(entry).toMatchObject({ command: 'rlm', env, disabled: true });
    expect((await install('claude-code', home)).stderr).toContain('already has the entry');
  });

  it.each([
    ['an inline entry', '[mcp_servers]\nrlm = { command = "old" }\n', '"mcp_servers.rlm"'],
    ['a dotted entry', 'mcp_servers.rlm.command = "old"\n', '"mcp_servers.rlm"'],
    ['an inline table', 'mcp_servers = { x = { command = "y" } }\n', '"mcp_servers"'],
    ['an entry with more', '[mcp_servers.rlm]\ncommand = "old"\n[mcp_servers.rlm.env]\nA = "b"\n', '"mcp_servers.rlm"'],
    ['no table', 'mcp_servers = 5\n', '"mcp_servers"'],
    ['an entry with a comment', '[mcp_servers.rlm]\ncommand = "old"\n# env = {}\nargs = []\n', '"mcp_servers.rlm"'],
    ['no TOML', 'model = \n', 'is not valid TOML'],
    ['no UTF-8', Buffer.from('model = "Jos\xe9"\n', 'latin1'), 'is not UTF-8'],
  ])('does not edit TOML that it cannot edit without a loss, and prints the entry: %s', async (_, text, named) => {
    const home = createFolder({ '.codex/config.toml': text });
    const { code, stdout, stderr } = await install('codex', home);
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('config.toml');
    expect(stderr).toContain(named);
    expect(stderr).toMatch(/^ *\[mcp_servers\.rlm]\n *command = "/m);
    expect(readFileSync(join(home, '.codex', 'config.toml'))).toEqual(Buffer.from(text));
  });

  it.each(['\n', '\r\n'])('replaces a section of TOML in place, and keeps every other line: %j', async (end) => {
    const before = ['# mine', 'model = "x"', '', '[mcp_servers . "rlm"] # old'];
    const after = ['', '# of the next one', '[mcp_servers.other]', 'command = "y"', ''];
    const text = [...before, 'command = "old"', 'args = [', '  "mcp",', ']', ...after].join(end);
    const home = createFolder({ '.codex/config.toml': text });
    expect(await install('codex', home)).toMatchObject({ code: 0, stderr: expect.stringContaining('wrote') });
    const written = readFileSync(join(home, '.codex', 'config.toml'), 'utf8');
    expect(written.split(end)).toEqual([
      ...before,
      expect.stringMatching(/^command = "/),
      expect.stringMatching(/^args = \[.*"mcp"/),
      'tool_timeout_sec = 600',
      ...after,
    ]);
    expect((await install('codex', home)).stderr).toContain('already has the entry');
    const without = createFolder({ '.codex/config.toml': before.slice(0, 2).join(end) + end });
    await install('codex', without);
    const added = readFileSync(join(without, '.codex', 'config.toml'), 'utf8').split(end);
    expect(added.slice(0, 4)).toEqual(['# mine', 'model = "x"', '', '[mcp_servers.rlm]']);
    expect(added.slice(4).join()).not.toMatch(/[\r\n]/);
  });

  it('leaves a JSON entry with comments as it is', async () => {
    const text = '{"servers": {"rlm": {\n  "command": "old" // pinned: ask first\n}}}\n';
    const home = createFolder({ '.vscode/mcp.json': text });
    expect(await install('vscode', home)).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(join(home, '.vscode/mcp.json'), 'utf8')).toBe(text);
  });

  it.each([
    ['claude-code', '.mcp.json', 'mcpServers'],
    ['claude-desktop', 'Claude/claude_desktop_config.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
    ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
    ['gemini', '.gemini/settings.json', 'mcpServers'],
    ['opencode', 'opencode.json', 'mcp'],
    ['zed', 'zed/settings.json', 'context_servers'],
    ['lm-studio', '.lmstudio/mcp.json', 'mcpServers'],
  ])('refuses a file of %s whose servers are not an object, and names file and key', async (client, file, key) => {
    const texts = ['[]', 'null', '5', '"x"'].map((value) => `{"${key}":${value}}`);
    for (const text of [...texts, `{"${key}":{"rlm":1,"rlm":2}}`, '[]']) {
      const home = createFolder({ [file]: text });
      const { code, stdout, stderr } = await install(client, home);
      expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(file);
      expect(stderr).toContain(text === '[]' ? 'is not a JSON object' : `"${key}`);
      expect(stderr).toMatch(/by hand:\n *\{/);
      expect(readFileSync(join(home, file), 'utf8')).toBe(text);
    }
  });

  it('prints an entry that starts a server', async () => {
    const cwd = notes();
    const { stdout } = await rlm(['mcp', 'install', 'claude-desktop', 'docs'], { cwd });
    const { args } = JSON.parse(stdout).mcpServers.rlm as { args: string[] };
    const { call } = await connect({
      args: [...args.slice(args.indexOf('mcp') + 1), ...extractive],
      cwd: createFolder(),
    });
    const asked = await call('rlm_ask', { question: 'What was the pool lowered to?' });
    expect(asked.data.status).toBe('answered');
  });
});
