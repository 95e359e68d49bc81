import { describe, expect, it, onTestFinished } from 'vitest';
import { type EmbedReply, faults, type OllamaServerOptions, startOllamaServer } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { bagOfMeanings } from '../support/embeddings.ts';
import { askScripted, type Script } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { warned } from '../support/warned.ts';

const model = 'nomic-embed-text';
const filler = Array.from({ length: 1_200 }, (_, day) => `Nothing else happened on day ${day}.\n\n`).join('');

/** Text that fits no window. The sentence with the answer shares no word with the question. */
const documents = [{ name: 'log.md', text: `${filler}The vehicle was reduced to rubble.\n\n${filler}` }];
const question = 'Which automobile crashed?';
const found = 'reduced to rubble';

type Embed = OllamaServerOptions['embed'];
type Settings = NonNullable<NonNullable<Parameters<typeof askScripted>[1]>['settings']>;

const good: Embed = ({ input }) => input.map(bagOfMeanings);

async function startServer(embed: Embed = good, models: readonly string[] = [model]) {
  const server = await startOllamaServer({
    reply: () => '',
    models: models.map((name) => ({ name, capabilities: ['embedding'] })),
    embed: embed!,
  });
  onTestFinished(server.close);
  return server;
}

interface Changes {
  readonly settings?: Settings;
  readonly script?: Script;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks with an embedding model at an address. */
function ask(host: string, { settings = {}, script = {}, env = { HOME: tempFolder() }, signal }: Changes = {}) {
  // The text is so large that `auto` would explore.
  const all = {
    strategy: 'direct' as const,
    ...settings,
    ollama: { host },
    embedding: { model, ...settings.embedding },
  };
  return askScripted(script, { documents, settings: all, env, ...(signal ? { signal } : {}) }, question);
}

const passagesOf = ({ of }: Awaited<ReturnType<typeof ask>>) => of('answer')[0]!.passages.map(({ text }) => text);
const byMeaning = (asked: Awaited<ReturnType<typeof ask>>) => passagesOf(asked).some((text) => text.includes(found));

describe('the retrieval mode', () => {
  it.each([['auto'], ['hybrid'], ['vector']] as const)('%s uses vectors with an embedding model', async (mode) => {
    const server = await startServer();
    const asked = await ask(server.url, { settings: { retrieval: { mode } } });
    expect(byMeaning(asked)).toBe(true);
    const { usage, warnings, status } = asked.result;
    expect({ warnings, status }).toEqual({ warnings: [], status: 'answered' });
    expect(usage.embeddings).toEqual({ requests: server.embeds.length, tokens: expect.any(Number), reused: 0 });
    expect(usage.embeddings.tokens).toBeGreaterThan(10_000);
    expect(usage.calls).toBe(3);
  });

  it('reports the progress of the index, up to its end', async () => {
    const server = await startServer();
    const { events } = await ask(server.url);
    const progress = events.filter((event) => event.type === 'index.progress');
    const last = progress.at(-1)!;
    expect(last.done).toBe(last.chunks);
    expect(server.embeds.every(({ input }) => input.length <= 64)).toBe(true);
    const texts = server.embeds.flatMap(({ input }) => input);
    expect(texts).toHaveLength(last.chunks + 1);
  });

  it('lexical asks for no vectors, nor does auto without a model', async () => {
    const server = await startServer();
    for (const settings of [{ retrieval: { mode: 'lexical' } }, { embedding: { model: null } }] as const) {
      const asked = await ask(server.url, { settings });
      expect(byMeaning(asked)).toBe(false);
      expect(asked.result.usage.embeddings).toEqual({ requests: 0, tokens: 0, reused: 0 });
    }
    expect(server.paths).toEqual([]);
  });

  it('a text that fits the prompt needs no vectors', async () => {
    const server = await startServer();
    const settings = { ollama: { host: server.url }, embedding: { model }, retrieval: { mode: 'vector' } } as const;
    expect((await askScripted({}, { settings })).result.status).toBe('answered');
    expect(server.paths).toEqual([]);
  });

  it('adds the prefixes that the model wants to a question and a passage', async () => {
    const server = await startServer();
    await ask(server.url, { settings: { embedding: { queryPrefix: 'query: ', passagePrefix: 'passage: ' } } });
    const texts = server.embeds.flatMap(({ input }) => input);
    expect(texts.filter((text) => text.startsWith('query: '))).toEqual([`query: ${question}`]);
    expect(texts.filter((text) => text.startsWith('passage: '))).toHaveLength(texts.length - 1);
  });

  it('openai: asks a server that speaks its API, with the key from the environment', async () => {
    const embed = ({ input }: { input: readonly string[] }) => input.map(bagOfMeanings);
    const server = await startOpenAiServer({ model, key: 'sk-test-key', embed });
    onTestFinished(server.close);
    const settings = { embedding: { provider: 'openai', baseUrl: server.url } } as const;
    const asked = await ask('127.0.0.1:1', { settings, env: { HOME: tempFolder(), OPENAI_API_KEY: 'sk-test-key' } });
    expect(asked.result.warnings).toEqual([]);
    expect(byMeaning(asked)).toBe(true);
    const refused = await ask('127.0.0.1:1', {
      settings: { ...settings, retrieval: { mode: 'vector' } },
      env: { HOME: tempFolder(), OPENAI_API_KEY: 'sk-wrong-key' },
    });
    expect(refused.result.error).toMatchObject({ code: 'credentials-refused' });
    expect(JSON.stringify([refused.result, refused.events])).not.toContain('sk-wrong-key');
  });
});

describe('unavailable vectors', () => {
  const hint = `ollama pull ${model}, or: rlm models pull ${model}`;

  it('auto: words alone decide, and a warning gives the reason', async () => {
    const missing = await startServer(good, ['llama3.2']);
    const asked = await ask(missing.url);
    expect(asked.result.status).toBe('answered');
    expect(warned(asked.result, 'search')).toMatch(/^passages .* words alone: .*"nomic-embed-text"/);
    expect(warned(asked.result, 'search')).toContain(hint);
    expect(warned((await ask('127.0.0.1:1')).result, 'search')).toContain('connection refused');
  });

  it.each([['hybrid'], ['vector']] as const)('%s, which was named, does not begin', async (mode) => {
    const missing = await startServer(good, ['llama3.2']);
    const settings = { retrieval: { mode } };
    await expect(ask(missing.url, { settings })).rejects.toMatchObject({ code: 'model-missing', hint });
    await expect(ask('127.0.0.1:1', { settings })).rejects.toMatchObject({ code: 'provider-unreachable' });
    await expect(ask('x', { settings: { ...settings, embedding: { model: null } } })).rejects.toMatchObject({
      code: 'config-invalid',
      hint: expect.stringContaining('--embedding-model nomic-embed-text'),
    });
  });

  it('too many passages: vector says what to do, the other modes continue by words', async () => {
    const server = await startServer();
    const settings = { embedding: { maxChunks: 50 } };
    await expect(ask(server.url, { settings: { ...settings, retrieval: { mode: 'vector' } } })).rejects.toMatchObject({
      code: 'input-too-large',
      hint: expect.stringContaining('embedding.maxChunks'),
    });
    for (const mode of ['auto', 'hybrid'] as const) {
      const { result } = await ask(server.url, { settings: { ...settings, retrieval: { mode } } });
      expect(warned(result, 'search')).toContain('at most 50 get vectors');
    }
    expect(server.paths).toEqual([]);
  });

  it.each<[string, EmbedReply]>([
    ['the model has gone', faults.status(404, { error: `model "${model}" not found, try pulling it first` })],
    ['the model gives NaN', faults.status(400, { error: 'failed to encode response: json: unsupported value: NaN' })],
    ['a vector is missing', [[1, 2]]],
    ['a number is none', [[1, null]]],
  ])('during a run (%s): hybrid continues by words, vector fails', async (_, wrong) => {
    const server = await startServer((call, index) => (index === 1 ? wrong : good(call, index)));
    const hybrid = await ask(server.url, { settings: { retrieval: { mode: 'hybrid' } } });
    expect(hybrid.result.status).toBe('answered');
    expect(warned(hybrid.result, 'search')).toMatch(/^passages .* words alone: /);
    const other = await startServer((call, index) => (index === 1 ? wrong : good(call, index)));
    const vector = await ask(other.url, { settings: { retrieval: { mode: 'vector' } } });
    expect(vector.result).toMatchObject({ status: 'failed', answer: null });
    expect(vector.result.error!.code).toMatch(/^(model-missing|provider-failed|request-refused)$/);
  });

  it('a model that changes the length of its vectors is an error', async () => {
    const server = await startServer(({ input }, index) => input.map((text) => bagOfMeanings(text).slice(index)));
    const { result } = await ask(server.url, { settings: { retrieval: { mode: 'vector' } } });
    expect(result.error).toMatchObject({
      code: 'provider-failed',
      message: expect.stringContaining('after vectors of'),
    });
  });

  it('a busy server is asked again', async () => {
    const server = await startServer((call, index) =>
      index === 0 ? faults.status(503, { error: 'busy' }, { 'retry-after-ms': '1' }) : good(call, index),
    );
    const asked = await ask(server.url);
    expect(byMeaning(asked)).toBe(true);
    expect(asked.events.filter(({ type }) => type === 'embedding.retried')).toHaveLength(1);
  });

  it('a server that stalls is abandoned when the time of a call is over', async () => {
    const server = await startServer(() => faults.stall());
    const settings = { budget: { callTimeout: 0.3 }, retrieval: { mode: 'vector' } } as const;
    expect((await ask(server.url, { settings })).result.error).toMatchObject({ code: 'call-timeout' });
    await expect.poll(server.openSockets).toBe(0);
  });

  it('a run that is cancelled meanwhile ends, with no open connection', async () => {
    const server = await startServer(() => faults.stall());
    const controller = new AbortController();
    const asked = ask(server.url, { signal: controller.signal });
    await expect.poll(() => server.embeds.length).toBeGreaterThan(0);
    controller.abort();
    expect((await asked).result).toMatchObject({ status: 'cancelled', error: { code: 'interrupted' } });
    await expect.poll(server.openSockets).toBe(0);
  });
});

describe('vectors that are kept', () => {
  it('give the same passages in another run, without a request', async () => {
    const env = { HOME: tempFolder() };
    const server = await startServer();
    const first = await ask(server.url, { env });
    const requests = server.embeds.length;
    const second = await ask(server.url, { env });
    expect(server.embeds).toHaveLength(requests);
    expect(passagesOf(second)).toEqual(passagesOf(first));
    const texts = server.embeds.flatMap(({ input }) => input).length;
    expect(second.result.usage.embeddings).toEqual({ requests: 0, tokens: 0, reused: texts });
  });

  it('are not kept where the bound is 0', async () => {
    const env = { HOME: tempFolder() };
    const server = await startServer();
    const settings = { embedding: { maxCacheBytes: 0 } };
    await ask(server.url, { env, settings });
    const requests = server.embeds.length;
    await ask(server.url, { env, settings });
    expect(server.embeds).toHaveLength(2 * requests);
  });

  it('lead to a warning if they cannot be stored', async () => {
    const server = await startServer();
    const { result } = await ask(server.url, { env: { HOME: '/dev/null/nowhere' } });
    expect(result).toMatchObject({
      warningCodes: ['search'],
      warnings: [expect.stringContaining('not kept in /dev/null/nowhere')],
    });
  });
});
