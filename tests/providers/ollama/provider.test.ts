import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createOllamaProvider } from '../../../src/providers/ollama/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOllama } from './fixture.ts';

const ollama = useOllama();

describe('inspect', () => {
  test('reads the window and the capabilities in one request', async () => {
    const provider = await ollama.provider('');
    expect(await provider.inspect(signal)).toEqual({
      model,
      maxWindowTokens: 32_768,
      loadsWindow: true,
      weights: 14.8e9,
      spends: 'tokens',
      digest: expect.stringMatching(/^[0-9a-f]{16}$/),
      callsAtOnce: 1,
      callsToTry: 4,
      structuredOutput: true,
      tools: true,
      vision: false,
      answersWithoutText: true,
      notices: [],
    });
    expect(ollama.server.paths).toEqual(['/api/show']);
  });

  test('assumes a window when the server names none, and reports it', async () => {
    const provider = await ollama.provider('', { models: [{ name: model, contextLength: null }] });
    const { maxWindowTokens, notices } = await provider.inspect(signal);
    expect(maxWindowTokens).toBe(4096);
    expect(notices).toEqual([expect.stringContaining('4096 tokens is assumed')]);
  });

  test('says what to type if the model is missing, and lists the installed ones, nearest first', async () => {
    const provider = await ollama.provider('', { models: ['llama3.2', 'mistral', 'qwen2.5-coder:7b'] });
    const error = await errorOf(provider.inspect(signal));
    expect(error).toMatchObject({
      code: 'model-missing',
      hint: `Use an installed model: --model qwen2.5-coder:7b. To download the missing one: ollama pull ${model}, or: rlm models pull ${model}`,
    });
    expect(error.message).toMatch(/it has qwen2\.5-coder:7b, llama3\.2:latest, mistral:latest$/);
  });

  test('says that there are no models at all', async () => {
    const error = await errorOf((await ollama.provider('', { models: [] })).inspect(signal));
    expect(error).toMatchObject({ code: 'model-missing', message: /no models yet/ });
  });

  test('reports a model that the server forwards, or refuses it if only a project file chose it', async () => {
    const remote = { name: model, remoteHost: 'https://elsewhere.example' };
    const provider = await ollama.provider('', { models: [remote] });
    const { notices } = await provider.inspect(signal);
    expect(notices).toEqual([expect.stringContaining('at https://elsewhere.example, where the text is sent')]);
    const wary = createOllamaProvider({ host: ollama.server.url, model, refuseRemote: true });
    expect(await errorOf(wary.inspect(signal))).toMatchObject({
      code: 'config-invalid',
      message: /https:\/\/elsewhere\.example/,
      hint: /--model or RLM_MODEL/,
    });
  });

  test.each(['gpt-oss:120b-cloud', 'kimi-k2:cloud'])('%s is remote by its name', async (name) => {
    await ollama.provider('', { models: [name] });
    const wary = createOllamaProvider({ host: ollama.server.url, model: name, refuseRemote: true });
    expect(await errorOf(wary.inspect(signal))).toMatchObject({ code: 'config-invalid' });
  });

  test('does not refuse a model that runs on the server itself', async () => {
    await ollama.provider('', { models: [{ name: 'cloud-notes:7b' }] });
    const wary = createOllamaProvider({ host: ollama.server.url, model: 'cloud-notes:7b', refuseRemote: true });
    expect((await wary.inspect(signal)).notices).toEqual([]);
  });

  test('an invalid name is reported as such', async () => {
    const provider = await ollama.provider('', {}, 'bad name!');
    expect(await errorOf(provider.inspect(signal))).toMatchObject({
      code: 'model-missing',
      message: /refuses the model name "bad name!": invalid model path/,
    });
  });

  test('a model that only embeds cannot be used', async () => {
    const provider = await ollama.provider('', { models: [{ name: model, capabilities: ['embedding'] }] });
    expect(await errorOf(provider.inspect(signal))).toMatchObject({
      code: 'model-missing',
      message: /cannot chat: it is made for embedding/,
    });
  });

  test.each([
    ['http://127.0.0.1:1', /connection refused/],
    ['http://rlm.invalid:11434', /host name/],
  ])('no server at %s', async (host, message) => {
    const error = await errorOf(createOllamaProvider({ host, model }).inspect(signal));
    expect(error).toMatchObject({ code: 'provider-unreachable', message });
    expect(error.hint).toMatch(/ollama serve.*OLLAMA_HOST.*rlm doctor/);
  });

  test.each([
    ['a web page', faults.html()],
    ['other JSON', faults.status(200, { hello: 'world' })],
    ['404 in plain text', faults.status(404, '404 page not found')],
    ['404 in other JSON', faults.status(404, { error: 'Not Found' })],
    ['405', faults.status(405, '<html>Method Not Allowed</html>')],
    ['a redirect to another host', faults.status(302, '', { location: 'https://login.example.com/' })],
    ['a reset', faults.reset()],
    ['500', faults.status(500, { error: 'broken' })],
  ])('%s instead of Ollama', async (_what, fault) => {
    const provider = await ollama.provider('', { elsewhere: () => fault });
    const error = await errorOf(provider.inspect(signal));
    expect(error.code).toBe('provider-unreachable');
    expect(error.message).toContain(ollama.server.url);
    expect(error.hint).not.toBe('');
  });

  test.each([
    [401, 'credentials-refused', /answered 401/],
    [500, 'provider-unreachable', /answered 500/],
    [404, 'provider-unreachable', /is not Ollama/],
  ])('%i instead of a list of models is %s', async (status, code, message) => {
    const provider = await ollama.provider('', { elsewhere: () => faults.status(status, { error: 'no' }) });
    const error = await errorOf(provider.survey!(signal));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a connection that breaks off instead of a list of models', async () => {
    const provider = await ollama.provider('', { elsewhere: () => faults.reset() });
    expect(await errorOf(provider.survey!(signal))).toMatchObject({ code: 'provider-unreachable' });
  });

  test('something that does not speak HTTP', async () => {
    const other = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const error = await errorOf(createOllamaProvider({ host: `127.0.0.1:${port}`, model }).inspect(signal));
    expect(error).toMatchObject({ code: 'provider-unreachable', message: /is not Ollama/ });
    other.close();
  });

  test.each([401, 403])('%i means refused credentials, and a password is never shown', async (status) => {
    const { url } = await ollama.start('', { elsewhere: () => faults.status(status, { error: 'unauthorized' }) });
    const host = url.replace('http://', 'http://me:s3cret@');
    const error = await errorOf(createOllamaProvider({ host, model }).inspect(signal));
    expect(error.code).toBe('credentials-refused');
    expect(error.message + error.hint + error.stack).not.toContain('s3cret');
  });

  test('an abort ends it', async () => {
    const provider = await ollama.provider('', { elsewhere: () => faults.stall() });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 20);
    await expect(provider.inspect(controller.signal)).rejects.toBe(reason);
  });
});

describe('call', () => {
  test('sends the request, and nothing that would let the server cut it', async () => {
    const { url } = await ollama.start({ answer: 'x' });
    const provider = createOllamaProvider({ host: url, model, keepAlive: '5m' });
    const request = answerRequest();
    await provider.call(request, { signal });
    expect(ollama.server.requests[0]!.body).toEqual({
      model,
      messages: request.messages,
      stream: true,
      format: request.schema,
      options: { num_ctx: 8192, num_predict: 512, temperature: 0.5 },
      truncate: false,
      shift: false,
      keep_alive: '5m',
    });
  });

  test('sends no format without a schema, and bare seconds as a number', async () => {
    const { url } = await ollama.start('ANSWER: x');
    await createOllamaProvider({ host: url, model, keepAlive: '-1' }).call(answerRequest({ schema: null }), { signal });
    expect(ollama.server.requests[0]!.body).not.toHaveProperty('format');
    expect(ollama.server.requests[0]!.body).toMatchObject({ keep_alive: -1 });
  });

  test('returns text, tokens and the end, and reports progress', async () => {
    const provider = await ollama.provider('ten letters', { pieceLength: 4 });
    const counts: number[] = [];
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply).toEqual({
      text: 'ten letters',
      toolCalls: [],
      timing: { readMs: 1e-6, writeMs: 1e-6 },
      tokens: { input: expect.any(Number), output: 3 },
      finish: 'stop',
    });
    expect(counts).toEqual([4, 8, 11, 11]);
  });

  test.each([1, 2, 3, 5])('keeps characters that are split into writes of %i bytes', async (bytesPerWrite) => {
    const text = 'ü – 漢字 🙂 "quoted"\n\u001b[31m';
    expect((await ollama.call(text, {}, { bytesPerWrite })).text).toBe(text);
  });

  test('an empty reply is an empty text', async () => {
    expect(await ollama.call('')).toEqual({
      text: '',
      toolCalls: [],
      tokens: { input: expect.any(Number), output: 0 },
      finish: 'stop',
    });
  });

  test('a reply that was stopped is marked so', async () => {
    expect(await ollama.call(faults.lengthLimit('half'))).toMatchObject({ text: 'half', finish: 'length' });
  });

  test('a huge reply and a slow one are complete', async () => {
    const text = 'x'.repeat(5_000_000);
    expect((await ollama.call(text, {}, { pieceLength: 100_000 })).text).toHaveLength(5_000_000);
    expect((await ollama.call(faults.drip('slow but complete', 5), {}, { pieceLength: 2 })).text).toBe(
      'slow but complete',
    );
  });

  test('a response that is never ended after its last object delays nothing', async () => {
    expect((await ollama.call(faults.endlessAfterDone('whole'))).text).toBe('whole');
    await vi.waitFor(() => expect(ollama.server.openSockets()).toBe(0), 5000);
  });

  test('uses its connections again', async () => {
    const provider = await ollama.provider('x');
    await provider.inspect(signal);
    for (let count = 0; count < 5; count++) await provider.call(answerRequest(), { signal });
    // A call may begin before the response of the last one has ended on the wire.
    expect(ollama.server.openSockets()).toBeLessThanOrEqual(2);
  });
});
