import { describe, expect, test } from 'vitest';
import { createOpenAiProvider } from '../../../src/providers/openai/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOpenAi } from './fixture.ts';

const openai = useOpenAi();

const closed = (baseUrl: string, apiKey: string | null = null) => createOpenAiProvider({ baseUrl, apiKey, model });

describe('inspect', () => {
  test('is one request where the server reports everything', async () => {
    const models = [{ id: model, max_model_len: 32_768 }];
    expect(await (await openai.provider('', { models })).inspect(signal)).toEqual({
      model,
      maxWindowTokens: 32_768,
      structuredOutput: true,
      tools: true,
      spends: 'tokens',
      digest: openai.server.url,
      callsAtOnce: 8,
      answersWithoutText: true,
      notices: [],
    });
    expect(openai.server.paths).toEqual(['/v1/models']);
  });

  test.each([
    ['vLLM', { max_model_len: 8192 }, 8192],
    ['OpenRouter', { context_length: 131_072 }, 131_072],
    ['LM Studio, loaded', { max_context_length: 131_072, loaded_context_length: 4096 }, 4096],
    ['Groq', { context_window: 16_000 }, 16_000],
    ['rubbish', { max_model_len: 'long', context_length: -1 }, 4096],
  ])('reads the window of %s', async (_, said, window) => {
    const provider = await openai.provider('', { models: [{ id: model, ...said }] });
    expect((await provider.inspect(signal)).maxWindowTokens).toBe(window);
  });

  test("llama.cpp's window is that of a slot, not what the model was trained for", async () => {
    const props = { default_generation_settings: { n_ctx: 6144 }, total_slots: 2 };
    const provider = await openai.provider('', {
      models: [{ id: model, meta: { n_ctx_train: 131_072 } }],
      elsewhere: (path) => (path === '/props' ? props : null),
    });
    const info = await provider.inspect(signal);
    expect(info).toMatchObject({ maxWindowTokens: 6144, callsAtOnce: 2, notices: [] });
  });

  test("LM Studio's window is in its own list", async () => {
    const list = { data: [{ id: 'other' }, { id: model, max_context_length: 40_960 }] };
    const provider = await openai.provider('', { elsewhere: (path) => (path === '/api/v0/models' ? list : null) });
    expect(await provider.inspect(signal)).toMatchObject({ maxWindowTokens: 40_960, notices: [] });
  });

  test('an unknown window is assumed with a notice, and a setting overrides it', async () => {
    const { maxWindowTokens, notices } = await (await openai.provider('')).inspect(signal);
    expect(maxWindowTokens).toBe(4096);
    expect(notices).toEqual([expect.stringContaining('4096 tokens is assumed (openai.windowTokens)')]);
    const told = await openai.provider('', {}, { windowTokens: 20_000 });
    expect(await told.inspect(signal)).toMatchObject({ maxWindowTokens: 20_000, notices: [] });
    expect(openai.server.paths).toEqual(['/v1/models']);
  });

  test('a server that lists no models is asked for the named one', async () => {
    const options = { elsewhere: () => faults.status(404, { detail: 'Not Found' }) };
    const provider = await openai.provider('', options);
    expect((await provider.inspect(signal)).model).toBe(model);
    const unnamed = await openai.provider('', options, { model: null });
    const error = await errorOf(unnamed.inspect(signal));
    expect(error).toMatchObject({ code: 'model-missing', hint: expect.stringContaining('--model') });
  });

  test('without a name the first language model is taken, with a notice', async () => {
    const models = ['nomic-embed-text', 'qwen3-8b', 'llama-3'].map((id) => ({ id, max_model_len: 8192 }));
    const provider = await openai.provider('{}', { models }, { model: null });
    const info = await provider.inspect(signal);
    expect(info.model).toBe('qwen3-8b');
    expect(info.notices).toEqual([expect.stringMatching(/no model was named.* has qwen3-8b.*--model/)]);
    await provider.call(answerRequest(), { signal });
    expect(openai.server.chats[0]!.model).toBe('qwen3-8b');
  });

  test('a call without a name, and without an inspection, uses the same', async () => {
    const provider = await openai.provider('{}', { models: ['one', 'two'] }, { model: null });
    await provider.call(answerRequest(), { signal });
    expect(openai.server.chats[0]!.model).toBe('one');
  });

  test('a missing model is an error that lists the existing ones, nearest first', async () => {
    const provider = await openai.provider('', { models: ['a', 'b', 'local-modle'] });
    const error = await errorOf(provider.inspect(signal));
    expect(error).toMatchObject({ code: 'model-missing', hint: expect.stringContaining('--model') });
    expect(error.message).toMatch(/has no model "local-model"; it has local-modle, a, b$/);
  });

  test.each([
    ['nothing there', () => closed('http://127.0.0.1:1/v1'), 'provider-unreachable', /connection refused/],
    ['a web page', faults.html(), 'provider-unreachable', /something other than a list of models$/],
    ['an error with 200', { error: 'Unexpected endpoint or method' }, 'provider-unreachable', /something other/],
    ['500', faults.status(500, { error: { message: 'oops' } }), 'provider-unreachable', /oops/],
    ['401', faults.status(401, { error: { message: 'no key' } }), 'credentials-refused', /no key/],
    ['a redirect', faults.status(307, '', { location: 'http://example.com/' }), 'provider-unreachable', /redirects/],
    ['a reset', faults.reset(), 'provider-unreachable', /broke off/],
  ])('%s', async (_, what, code, message) => {
    const provider = typeof what === 'function' ? what() : await openai.provider('', { elsewhere: () => what });
    const error = await errorOf(provider.inspect(signal));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.hint).not.toBe('');
  });

  test('an address without /v1 leads to a hint to add it', async () => {
    await openai.provider('', { elsewhere: () => faults.html() });
    const root = openai.server.url.replace('/v1', '');
    const error = await errorOf(closed(root).inspect(signal));
    expect(error.message).toContain(`try ${root}/v1`);
  });

  test.each(['', 'localhost:1234/v1', 'ftp://x/v1', 'http://x/v1?key=1'])('%j is not a base URL', (baseUrl) => {
    expect(() => closed(baseUrl)).toThrow(/openai\.baseUrl is not an address/);
  });

  test('OpenAI itself is not asked without a key', async () => {
    const error = await errorOf(closed('https://api.openai.com/v1', ' ').inspect(signal));
    expect(error).toMatchObject({ code: 'credentials-refused', hint: expect.stringContaining('OPENAI_API_KEY=') });
  });

  test('a server elsewhere is refused if a project chose the model', async () => {
    const make = (baseUrl: string) => createOpenAiProvider({ baseUrl, apiKey: 'k', model, refuseRemote: true });
    for (const method of ['inspect', 'survey'] as const) {
      const error = await errorOf(make('https://api.openai.com/v1')[method]!(signal));
      expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringContaining('api.openai.com') });
    }
    await openai.provider('');
    expect((await make(openai.server.url).inspect(signal)).model).toBe(model);
  });
});

describe('the key', () => {
  test('is sent to every path, and there is no header without a key', async () => {
    const provider = await openai.provider('{}', { key: 'sk-right' }, { apiKey: 'sk-right' });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(openai.server.chats[0]!.headers.authorization).toBe('Bearer sk-right');
    await (await openai.provider('{}')).call(answerRequest(), { signal });
    const { headers } = openai.server.chats[0]!;
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'content-length', 'content-type', 'host']);
  });

  test('is named if it is refused or missing', async () => {
    for (const [apiKey, said] of [
      ['sk-wrong', /does not accept the key in OPENAI_API_KEY/],
      [null, /No key was sent/],
    ] as const) {
      const provider = await openai.provider('{}', { key: 'sk-right' }, { apiKey });
      for (const work of [provider.inspect(signal), provider.call(answerRequest(), { signal })]) {
        expect(await errorOf(work)).toMatchObject({ code: 'credentials-refused', hint: expect.stringMatching(said) });
      }
    }
  });

  test('and a password in the address are in no message', async () => {
    await openai.provider(faults.status(500, 'you sent hunter22'));
    const baseUrl = openai.server.url.replace('://', '://me:hunter22@');
    const redact = (text: string) => text.replaceAll('hunter22', '[secret]');
    const { message } = await errorOf(
      createOpenAiProvider({ baseUrl, apiKey: null, model, redact }).call(answerRequest(), { signal }),
    );
    expect(message).toContain('you sent [secret]');
    expect(message).not.toContain('hunter22');
    expect(openai.server.chats[0]!.headers.authorization).toMatch(/^Basic /);
  });
});

describe('survey', () => {
  test('lists the existing models', async () => {
    const models = [{ id: 'a', max_model_len: 8192 }, 'nomic-embed-text'];
    expect(await (await openai.provider('', { models })).survey!(signal)).toEqual({
      version: null,
      address: openai.server.url,
      models: [
        { name: 'a', sizeBytes: null, capabilities: [], windowTokens: 8192 },
        { name: 'nomic-embed-text', sizeBytes: null, capabilities: ['embedding'], windowTokens: null },
      ],
    });
  });

  test('lists only the requested one if there are very many', async () => {
    const models = [...Array.from({ length: 200 }, (_, index) => `m${index}`), model];
    const survey = await (await openai.provider('', { models })).survey!(signal);
    expect(survey.models.map(({ name }) => name)).toEqual([model]);
  });
});
