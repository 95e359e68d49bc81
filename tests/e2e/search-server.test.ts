import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startElasticsearchServer } from '../servers/elasticsearch-server.ts';
import type { SearchHttp } from '../servers/search-http.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const documents = [
  {
    _id: '1',
    _source: { body: 'The pool was limited to 20 connections.\u001b]0;owned\u0007', path: 'pool.md', line: 12 },
  },
  { _id: '2', _source: { body: 'Release 4.2 went out at 02:00.', path: 'log.md', line: 1 } },
];
const password = 'p4ssword-of-search';
const question = 'What was the pool limited to?';

let server: SearchHttp;
beforeAll(async () => {
  server = await startElasticsearchServer('docs', documents);
});
afterAll(() => server.close());

const address = () =>
  `elasticsearch+${server.url.replace('//', `//me:${password}@`)}/docs?text=body&source=path&startLine=line`;
const ask = (...more: string[]) => ['ask', question, '--provider', 'extractive', '--server', address(), ...more];

describe.concurrent('rlm ask --server', () => {
  it('answers from the server alone, with a citation, and does not control the terminal', async () => {
    const run = await rlm(ask());
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('limited to 20 connections');
    expect(run.stdout).toContain('pool.md:12');
    expect(run.stdout + run.stderr).not.toMatch(/\u001b\]|\u0007/);
  });

  it('shows and records no password', async () => {
    const home = createFolder();
    const env = { RLM_HOME: join(home, 'state') };
    const run = await rlm(ask('--json', '--verbose'), { env });
    expect(resultOf(run).status).toBe('answered');
    const shown = await rlm(['runs', 'show', 'last', '--json'], { env });
    const listed = await rlm(['config', 'list'], { env: { RLM_SERVER: address() } });
    for (const { stdout, stderr } of [run, shown, listed]) expect(stdout + stderr).not.toContain(password);
    expect(listed.stdout).toContain('elasticsearch+http://[secret]@127.0.0.1');
  });

  it('continues with the same server, and with no other', async () => {
    const home = createFolder();
    const env = { RLM_HOME: join(home, 'state') };
    const cwd = createFolder({ 'mine.md': 'My pool is small.\n' });
    await rlm(ask('mine.md', '--max-calls', '1'), { env, cwd });
    const without = await rlm(['resume'], { env });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('retrieval.server was "elasticsearch+http://[secret]@127.0.0.1');
    const again = await rlm(['resume', '--max-calls', '9'], { env: { ...env, RLM_SERVER: address() } });
    expect(again.stdout).toContain('limited to 20 connections');
  });

  it('exits with 4 if the server is missing, and with 3 for an invalid address', async () => {
    const away = await rlm(['ask', question, '--provider', 'extractive', '--server', 'chroma+http://127.0.0.1:1/docs']);
    expect(away.code).toBe(4);
    expect(away.stderr).toMatch(/Chroma .*chroma\+http:\/\/127\.0\.0\.1:1\/docs: connection refused/);
    const wrong = await rlm(['ask', question, '--provider', 'extractive', '--server', 'http://127.0.0.1:1/docs']);
    expect(wrong.code).toBe(3);
  });

  it('cannot be set by a project file', async () => {
    const cwd = createFolder({ 'rlm.config.json': JSON.stringify({ retrieval: { server: address() } }) });
    const run = await rlm(['ask', question, '--provider', 'extractive'], { cwd });
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('may not set "retrieval.server"');
  });

  it('is named by a dry run, which asks nothing of it', async () => {
    const run = await rlm([
      'ask',
      question,
      '--provider',
      'extractive',
      '--server',
      'chroma+http://127.0.0.1:1/d',
      '--dry-run',
    ]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('would also search the search server');
  });
});

describe.concurrent('a field that the index does not have', () => {
  it.each(['text=nofield', 'text=body&search=nofield,path^2'])(
    '%s: an error names the existing fields',
    async (query) => {
      const at = `opensearch+${server.url}/docs?${query}`;
      const run = await rlm(['ask', question, '--provider', 'extractive', '--server', at, '--json']);
      const failed = resultOf(run);
      expect(run.code).toBe(3);
      expect(failed).toMatchObject({ answer: null, error: { code: 'config-invalid' } });
      expect(failed.error!.message).toMatch(/no field "nofield" .*; .*body/);
      expect(failed.error!.hint).toContain('/docs?');
    },
  );
});

describe.concurrent('rlm doctor', () => {
  it('shows a search server that answers, and one that does not', async () => {
    const well = await rlm(['doctor'], { env: { RLM_SERVER: address(), RLM_PROVIDER: 'extractive' } });
    expect(well.stdout).toMatch(
      /index "docs" of Elasticsearch at elasticsearch\+http:\/\/127\.0\.0\.1:\d+\/docs, 2 passages/,
    );
    expect(well.stdout).not.toContain(password);
    expect(well.code).toBe(0);
    const env = { RLM_SERVER: 'chroma+http://127.0.0.1:1/docs', RLM_PROVIDER: 'extractive' };
    const away = await rlm(['doctor', '--json'], { env });
    expect(JSON.parse(away.stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'search', state: 'problem', message: expect.stringContaining('refused') }),
    );
    expect(away.code).toBe(4);
  });
});
