import { describe, expect, it, onTestFinished } from 'vitest';
import { createOllamaEmbedder } from '../../src/providers/ollama/embedder.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai/embedder.ts';
import { type EmbedderUnderTest, embedderContract } from '../contracts/embedder.ts';
import { type EmbedReply, faults, type OllamaServerOptions, startOllamaServer } from '../servers/ollama-server.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../servers/openai-server.ts';
import { errorOf } from '../support/error-of.ts';

const model = 'nomic-embed-text';
const { signal } = new AbortController();

const lengths = (texts: readonly string[]) => texts.map(({ length }) => [length, 1]);

const small = { name: model, capabilities: ['embedding'], contextLength: 25 };
const usual = { name: model, capabilities: ['embedding'], contextLength: 2048 };

const ollama =
  (embed: EmbedReply | OllamaServerOptions['embed'], models: OllamaServerOptions['models'] = [usual]) =>
  async (): Promise<EmbedderUnderTest> => {
    const reply = () => faults.status(500);
    const make: OllamaServerOptions['embed'] = typeof embed === 'function' ? embed : () => embed as EmbedReply;
    const server = await startOllamaServer({ reply, models: models!, embed: make });
    return {
      embedder: createOllamaEmbedder({ host: server.url, model }),
      received: () => server.embeds.map(({ input }) => input),
      openSockets: server.openSockets,
      close: server.close,
    };
  };

const openai =
  (embed: NonNullable<OpenAiServerOptions['embed']>, changes: Partial<OpenAiServerOptions> = {}) =>
  async (): Promise<EmbedderUnderTest> => {
    const server = await startOpenAiServer({ model, embed, ...changes });
    return {
      embedder: createOpenAiEmbedder({ baseUrl: `${server.url}/`, model, apiKey: null }),
      received: () => server.requests.map(({ input }) => input),
      openSockets: server.openSockets,
      close: server.close,
    };
  };

const rubbish: readonly EmbedReply[] = [
  [[1, 2]],
  [[1, 2], [1]],
  [
    [1, 2],
    [1, null],
  ],
  [
    [1, 2],
    [1, 'NaN'],
  ],
  [[], []],
  faults.html(),
];

embedderContract('ollama', {
  answers: ollama(({ input }) => lengths(input)),
  stalls: ollama(faults.stall()),
  fails: ollama(faults.status(500, { error: 'failed to encode response: json: unsupported value: NaN' })),
  isSmall: ollama(({ input }) => lengths(input), [small]),
  breaksOff: ollama(faults.reset()),
  hasNoModel: ollama([], []),
  givesRubbish: rubbish.filter((reply) => Array.isArray(reply)).map((reply) => ollama(reply)),
});

embedderContract('openai', {
  answers: openai(({ input }) => lengths(input)),
  stalls: openai(() => faults.stall()),
  fails: openai(() => faults.status(503, { error: { message: 'overloaded' } })),
  isSmall: openai(({ input }) => lengths(input), { longest: 100 }),
  breaksOff: openai(() => faults.reset()),
  hasNoModel: openai(() => [], { model: 'another' }),
  givesRubbish: [...rubbish, { data: 'none' }, { object: 'list' }].map((reply) => openai(() => reply)),
});

describe('the ollama embedder', () => {
  it('forbids cutting, and keeps the model loaded as long as is set', async () => {
    const server = await startOllamaServer({ reply: () => '', models: [usual], embed: ({ input }) => lengths(input) });
    onTestFinished(server.close);
    await createOllamaEmbedder({ host: server.url, model, keepAlive: '-1' }).embed(['x'], signal);
    expect(server.embeds[0]!.body).toEqual({ model, input: ['x'], truncate: false, keep_alive: -1 });
  });

  it('distinguishes versions of a model, and refuses models of another purpose', async () => {
    const inspect = async (modelfile: string, capabilities: readonly string[]) => {
      const { embedder, close } = await ollama([], [{ name: model, modelfile, capabilities }])();
      onTestFinished(close);
      return embedder.inspect(signal);
    };
    const [one, other] = [await inspect('FROM a', ['embedding']), await inspect('FROM b', ['completion'])];
    expect(one.digest).not.toBe(other.digest);
    expect(one.notices).toEqual([]);
    expect(other.notices).toEqual([`${model} is not made for embeddings but for completion`]);
  });

  it('says what to type when the model is missing, before and in a run', async () => {
    const { embedder, close } = await ollama([], ['llama3.2'])();
    onTestFinished(close);
    const before = await errorOf(embedder.inspect(signal));
    expect(before).toMatchObject({ code: 'model-missing', hint: `ollama pull ${model}, or: rlm models pull ${model}` });
    expect(before.message).toContain('it has llama3.2:latest');
    expect(await errorOf(embedder.embed(['x'], signal))).toMatchObject({
      hint: `ollama pull ${model}, or: rlm models pull ${model}`,
    });
  });

  it('refuses a model that sends the text on, if a project chose it', async () => {
    const remote = { ...usual, remoteHost: 'https://ollama.com:443' };
    const server = await startOllamaServer({ reply: () => '', models: [remote], embed: () => [] });
    onTestFinished(server.close);
    const make = (refuseRemote: boolean) => createOllamaEmbedder({ host: server.url, model, refuseRemote });
    expect(await errorOf(make(true).inspect(signal))).toMatchObject({ code: 'config-invalid' });
    expect((await make(false).inspect(signal)).notices).toEqual([expect.stringContaining('where the text is sent')]);
  });

  it('reports that no server listens', async () => {
    const embedder = createOllamaEmbedder({ host: '127.0.0.1:1', model });
    expect(await errorOf(embedder.inspect(signal))).toMatchObject({ code: 'provider-unreachable' });
    expect(await errorOf(embedder.embed(['x'], signal))).toMatchObject({ code: 'provider-unreachable' });
  });
});

describe('the openai embedder', () => {
  it.each([[[0, 2]], [[0, 4_000_000_000, 1]]])(
    'refuses vectors with the indexes %j for three texts',
    async (indexes) => {
      const data = indexes.map((index) => ({ index, embedding: [1, 2] }));
      const { embedder, close } = await openai(() => ({ data }) as never)();
      onTestFinished(close);
      const embedded = embedder.embed(['a', 'b', 'c'], signal);
      expect(await errorOf(embedded)).toMatchObject({ code: 'provider-failed' });
    },
  );

  it('sends the key, and reports a refused or missing one', async () => {
    const server = await startOpenAiServer({ model, key: 'sk-right', embed: ({ input }) => lengths(input) });
    onTestFinished(server.close);
    const make = (apiKey: string | null) => createOpenAiEmbedder({ baseUrl: server.url, model, apiKey });
    expect((await make('sk-right').embed(['x'], signal)).vectors).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer sk-right' });
    expect(await errorOf(make('sk-wrong').embed(['x'], signal))).toMatchObject({ code: 'credentials-refused' });
    const hosted = createOpenAiEmbedder({ baseUrl: 'https://api.openai.com/v1', model, apiKey: null });
    expect(await errorOf(hosted.inspect(signal))).toMatchObject({
      code: 'credentials-refused',
      message: expect.stringContaining('OPENAI_API_KEY is not set'),
    });
  });

  it.each([
    [429, 'rate-limited', true],
    [413, 'prompt-too-long', false],
    [400, 'request-refused', false],
    [403, 'credentials-refused', false],
    [502, 'provider-failed', true],
  ])('%i is %s', async (status, code, transient) => {
    const { embedder, close } = await openai(() => faults.status(status, 'no', { 'retry-after': '2' }))();
    onTestFinished(close);
    const error = await errorOf(embedder.embed(['x'], signal));
    expect(error).toMatchObject({ code, transient, retryAfterMs: transient ? 2000 : null });
    expect(error.hint).not.toBe('');
  });

  it.each(['', 'localhost:8080/v1', 'ftp://x/v1', 'http://x/v1?key=1', 'http://'])('%j is no base URL', (baseUrl) => {
    expect(() => createOpenAiEmbedder({ baseUrl, model, apiKey: null })).toThrow(
      /embedding\.baseUrl is not an address/,
    );
  });

  it('shows no password of its address, and no secret from a server', async () => {
    const server = await startOpenAiServer({ model, embed: () => faults.status(500, 'you sent hunter22') });
    onTestFinished(server.close);
    const baseUrl = server.url.replace('://', '://me:hunter22@');
    const redact = (text: string) => text.replaceAll('hunter22', '[secret]');
    const embedder = createOpenAiEmbedder({ baseUrl, model, apiKey: null, redact });
    expect(embedder.address).not.toContain('hunter22');
    const { message } = await errorOf(embedder.embed(['x'], signal));
    expect(message).toContain('you sent [secret]');
    expect(message).not.toContain('hunter22');
  });
});
