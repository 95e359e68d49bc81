import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { faults, type OllamaServerOptions } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { bagOfMeanings } from '../support/embeddings.ts';
import { startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, startRlm } from './run-rlm.ts';

const model = 'nomic-embed-text';
const daysOf = (count: number) =>
  Array.from({ length: count }, (_, day) => `Nothing else happened on day ${day}.\n\n`).join('');
const textOf = (days: number) => `${daysOf(days)}The vehicle was reduced to rubble.\n\n${daysOf(days)}`;
const text = textOf(1_200);
const question = 'Which automobile crashed?';

const embed: OllamaServerOptions['embed'] = ({ input }) => input.map(bagOfMeanings);

/** Creates a project, a home, and a server with a chat model and an embedding model. */
async function setUp(options: Partial<OllamaServerOptions> = {}) {
  const models = ['qwen2.5-coder:14b', { name: model, capabilities: ['embedding'] }];
  const server = await startServer({}, { models, embed: embed!, ...options });
  const cwd = createFolder({ 'log.md': text });
  const home = createFolder();
  // The provider is named, because `auto` would skip a server that is slow on a busy machine.
  const named = { HOME: home, OLLAMA_HOST: server.url, RLM_PROVIDER: 'ollama', RLM_RETRIEVAL: 'hybrid' };
  const env = { ...named, RLM_REFINE: '0' }; // A further round would search for something else.
  const args = ['ask', question, 'log.md', '--strategy', 'direct', '--embedding-model', model];
  const run = (...flags: string[]) => rlm([...args, ...flags], { cwd, env });
  const shown = () => server.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n');
  return { server, cwd, home, env, args, run, shown };
}

describe.concurrent('rlm ask with an embedding model', () => {
  it('finds by meaning a passage without a word of the question', async () => {
    const { run, shown } = await setUp();
    const { stdout, code, stderr } = await run('--json');
    expect(code, stderr).toBe(0);
    expect(shown()).toContain('The vehicle was reduced to rubble.');
    const { usage, warnings } = resultOf({ stdout });
    expect(usage.embeddings.requests).toBeGreaterThan(1);
    expect(warnings.filter((warning) => !/cites|quotes/.test(warning))).toEqual([]);
  });

  it('makes no vector twice: another run requests none', async () => {
    const { server, run, env } = await setUp();
    const first = resultOf(await run('--json'));
    const requests = server.embeds.length;
    const again = await run('--format', 'ndjson');
    expect(server.embeds).toHaveLength(requests);
    const { events, last } = eventsOf(again);
    expect(last.result.usage.embeddings).toMatchObject({ requests: 0, tokens: 0 });
    expect(events.filter(({ type }) => type === 'index.progress')).not.toEqual([]);
    expect(last.result.recursionTree!.passages).toEqual(first.recursionTree!.passages);

    const { stdout } = await rlm(['cache', 'stats', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ entries: 0, vectors: { bytes: expect.any(Number) } });
    expect((await rlm(['cache', 'clear'], { env })).stdout).toMatch(
      /^Removed 0 entries, 0 bytes, and \d+ .* of vectors/,
    );
    await run();
    expect(server.embeds.length).toBe(2 * requests);
  });

  it('--retrieval lexical requests none', async () => {
    const { server, run, shown } = await setUp();
    expect((await run('--retrieval', 'lexical')).code).toBe(0);
    expect(server.embeds).toEqual([]);
    expect(shown()).not.toContain('rubble');
  });

  it('a missing model: what to type, and exit 4', async () => {
    const { run } = await setUp({ models: ['qwen2.5-coder:14b'] });
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`has no model "${model}"`);
    expect(stderr).toContain(`ollama pull ${model}`);
  });

  it('a failure during a run: hybrid answers with a note, vector fails with 5', async () => {
    const broken: OllamaServerOptions['embed'] = (call, index) =>
      index > 0 ? faults.status(400, { error: 'json: unsupported value: NaN' }) : embed!(call, index);
    const { run } = await setUp({ embed: broken });
    const hybrid = await run();
    expect(hybrid.code, hybrid.stderr).toBe(0);
    expect(hybrid.stderr).toMatch(/^rlm: note: .*words alone/m);
    const vector = await run('--retrieval', 'vector', '--json');
    expect(vector.code).toBe(5);
    expect(resultOf(vector)).toMatchObject({ status: 'failed', answer: null, error: { code: 'request-refused' } });
  });

  it('Ctrl-C while vectors are made ends the run; the finished vectors are kept', async () => {
    const { server, cwd, env, args, home } = await setUp({
      embed: (call, index) => (index < 2 ? embed!(call, index) : faults.stall()),
    });
    writeFileSync(join(cwd, 'log.md'), textOf(6_000)); // Needs more requests than the server answers.
    const { done, kill } = startRlm([...args, '--json'], { cwd, env });
    await vi.waitFor(() => expect(server.embeds.length).toBeGreaterThan(3), { timeout: 20_000 });
    kill('SIGINT');
    const finished = await done;
    expect(finished.code).toBe(130);
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled' });
    const folder = join(home, '.cache', 'rlm', 'vectors');
    const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.vec'));
    expect(kept).toHaveLength(2);
  });

  it('an interrupted run continues with the same prompts', async () => {
    const { server, run, cwd, env } = await setUp();
    const cut = resultOf(await run('--json', '--max-calls', '1'));
    const planned = server.requests.length;
    const resumed = resultOf(await rlm(['resume', cut.runId!, '--json', '--max-calls', '9'], { cwd, env }));
    expect(resumed).toMatchObject({ status: 'answered', usage: { replayedCalls: planned } });
    expect(resumed.usage.embeddings.requests).toBe(0);
    const changed = await rlm(['resume', cut.runId!, '--retrieval', 'lexical'], { cwd, env });
    expect(changed.code).toBe(2);
  });

  it('openai: the key is sent, and occurs nowhere else', async () => {
    const key = 'sk-proj-0123456789abcdef';
    const openai = await startOpenAiServer({ model, key, embed: ({ input }) => input.map(bagOfMeanings) });
    onTestFinished(openai.close);
    const { cwd, env, args, home, shown } = await setUp();
    const own = { RLM_EMBEDDING_PROVIDER: 'openai', RLM_EMBEDDING_BASE_URL: openai.url, OPENAI_API_KEY: key };
    const done = await rlm([...args, '--json', '--verbose', '--log-file', 'run.log'], { cwd, env: { ...env, ...own } });
    expect(done.code, done.stderr).toBe(0);
    expect(shown()).toContain('rubble');
    expect(openai.requests.every(({ authorization }) => authorization === `Bearer ${key}`)).toBe(true);
    const { execFileSync } = await import('node:child_process');
    const grep = () => execFileSync('grep', ['-rl', key, cwd, home], { encoding: 'utf8' });
    expect(grep).toThrow();
    expect(done.stdout + done.stderr).not.toContain(key);
  });
});

describe('a project file', () => {
  it.each([
    ['embedding.baseUrl', { embedding: { baseUrl: 'http://evil.example/v1' } }],
    ['embedding.provider', { embedding: { provider: 'openai' } }],
  ])('may not set %s', async (key, settings) => {
    const cwd = createFolder({ 'a.md': 'x', 'rlm.config.json': JSON.stringify(settings) });
    const { code, stderr } = await rlm(['ask', 'Why?', 'a.md'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain(`may not set "${key}"`);
  });

  it('chooses no model for a server that the user has set up', async () => {
    const { cwd, env } = await setUp();
    writeFileSync(join(cwd, 'rlm.config.json'), JSON.stringify({ embedding: { model: 'text-embedding-3-large' } }));
    const own = { ...env, RLM_EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-proj-0123456789abcdef' };
    const { code, stderr } = await rlm(['ask', question, 'log.md'], { cwd, env: own });
    expect(code).toBe(3);
    expect(stderr).toMatch(/project file .*text-embedding-3-large/);
  });
});

describe('rlm doctor', () => {
  it('shows the embedding model, and what to type when it is missing', async () => {
    const { env, home } = await setUp();
    const own = { ...env, RLM_EMBEDDING_MODEL: model };
    const good = await rlm(['doctor'], { env: own });
    expect(good.stdout).toMatch(/✔ embedding .*nomic-embed-text of ollama .*http:\S+; .*hybrid/);
    const missing = await rlm(['doctor', '--json'], { env: { ...own, RLM_EMBEDDING_MODEL: 'absent' } });
    const { checks } = JSON.parse(missing.stdout) as { checks: { name: string; state: string; fix: string }[] };
    expect(checks.find(({ name }) => name === 'embedding')).toMatchObject({
      state: 'problem',
      fix: expect.stringContaining('ollama pull absent'),
    });
    expect((await rlm(['doctor'], { env })).stdout).not.toMatch(/^. embedding /m);
    expect(existsSync(join(home, '.cache', 'rlm'))).toBe(false);
  });
});
