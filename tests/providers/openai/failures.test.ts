import { describe, expect, test, vi } from 'vitest';
import { createOpenAiProvider } from '../../../src/providers/openai/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOpenAi } from './fixture.ts';

const openai = useOpenAi();

describe('a status', () => {
  test.each([
    [400, 'request-refused', false],
    [401, 'credentials-refused', false],
    [402, 'rate-limited', false],
    [403, 'credentials-refused', false],
    [404, 'model-missing', false],
    [408, 'provider-failed', true],
    [409, 'provider-failed', true],
    [413, 'prompt-too-long', false],
    [422, 'request-refused', false],
    [429, 'rate-limited', true],
    [500, 'provider-failed', true],
    [502, 'provider-failed', true],
    [503, 'provider-failed', true],
  ])('%i is %s, in every form', async (status, code, transient) => {
    const shapes = [
      { error: { message: 'why not', type: 't', code: null } },
      { error: 'why not' },
      { message: 'why not' },
      { detail: 'why not' },
      { detail: [{ loc: ['body', 'n'], msg: 'why not' }] },
      [{ error: { message: 'why not' } }],
      [{ error: { message: 'why not' } }, { error: { message: 'nor the other' } }],
      'why not',
    ];
    for (const body of [...shapes, '', '<html>no</html>', '{"error":', '{"error":{}}']) {
      const error = await errorOf(openai.call(faults.status(status, body)));
      expect(error).toMatchObject({ code, transient, retryAfterMs: null });
      expect(error.hint).not.toBe('');
      if (shapes.includes(body)) expect(error.message).toMatch(/: why not$/);
      expect(error.message).not.toContain('<html>');
    }
    expect(openai.bodies()).toHaveLength(1);
  });

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
  ])('429 and 503 with %o give a waiting time of %s ms', async (headers, retryAfterMs) => {
    for (const status of [429, 503]) {
      const error = await errorOf(openai.call(faults.status(status, { error: { message: 'slow' } }, headers)));
      expect(error).toMatchObject({ transient: true, retryAfterMs });
    }
  });

  test('a spent quota is not tried again', async () => {
    const error = {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    };
    expect(await errorOf(openai.call(faults.status(429, { error })))).toMatchObject({
      code: 'rate-limited',
      transient: false,
      hint: expect.stringContaining('quota'),
    });
  });

  test.each([
    [400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"],
    [
      400,
      "'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is 2048 tokens",
    ],
    [400, 'the request exceeds the available context size, try increasing it'],
    [400, 'Trying to keep the first 5000 tokens when context the overflows.'],
    [400, 'The number of tokens to keep from the initial prompt is greater than the context length'],
    [400, 'Input length 9000 exceeds maximum context length'],
    [429, 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.'],
    [500, 'context length exceeded'],
  ])('%i %j is a prompt that is too long', async (status, message) => {
    const error = await errorOf(openai.call(faults.status(status, { error: { message } })));
    expect(error).toMatchObject({ code: 'prompt-too-long', transient: false });
    expect(error.hint).toContain('openai.windowTokens');
    expect(openai.bodies()).toHaveLength(1);
  });

  test("the server's message is shown, on one line and without control codes", async () => {
    const body = { error: { message: 'first\n\u001b[31msecond' } };
    const { message } = await errorOf(openai.call(faults.status(400, body)));
    expect(message).toMatch(/answered 400 for local-model: first \[31msecond$/);
  });

  test('a redirect to another host is not followed', async () => {
    const elsewhere = faults.status(307, '', { location: 'http://127.0.0.1:1/v1/chat/completions' });
    const error = await errorOf(openai.call(elsewhere));
    expect(error).toMatchObject({ code: 'provider-unreachable', transient: false });
    expect(error.message).toContain('redirects to another host');
  });
});

describe('a connection', () => {
  test('that is reset or cut is a broken one', async () => {
    for (const fault of [faults.reset(), faults.cutMidLine(), faults.noDone()]) {
      expect(await errorOf(openai.call(fault))).toMatchObject({ code: 'provider-failed', transient: true });
    }
  });

  test('to a lost server is refused', async () => {
    const provider = await openai.provider('x');
    await openai.server.close();
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'provider-unreachable', transient: true });
  });

  test('is tried once: the client has no retries of its own', async () => {
    await errorOf(openai.call(faults.status(503, { error: { message: 'no' } }, { 'x-should-retry': 'true' })));
    expect(openai.bodies()).toHaveLength(1);
  });

  test('that cannot be made secure is reported', async () => {
    await openai.provider('x');
    const baseUrl = openai.server.url.replace('http:', 'https:');
    const work = createOpenAiProvider({ baseUrl, apiKey: null, model }).call(answerRequest(), { signal });
    expect(await errorOf(work)).toMatchObject({ code: 'provider-unreachable', transient: false });
  });

  test('to a server with an invalid password fails without showing it', async () => {
    const provider = createOpenAiProvider({ baseUrl: 'http://me:hunter22@127.0.0.1:1/v1', apiKey: null, model });
    const { message } = await errorOf(provider.call(answerRequest(), { signal }));
    expect(message).toContain('127.0.0.1:1/v1: connection refused');
    expect(message).not.toContain('hunter22');
  });
});

describe('a slow server', () => {
  test('is waited for as long as the signal allows: the client sets no limit of its own', async () => {
    const waits = vi.spyOn(globalThis, 'setTimeout');
    await openai.call('{}');
    const limits = waits.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms >= 10_000);
    expect(limits.every((ms) => ms === 2 ** 31 - 1)).toBe(true);
  });

  test('that sends slowly is read to the end', async () => {
    expect((await openai.call(faults.drip('{"answer":"slowly"}', 2))).text).toBe('{"answer":"slowly"}');
  });

  test('whose reply exceeds every limit is abandoned', async () => {
    const raw = `: ${'x'.repeat(65 * 1024 * 1024)}`;
    const error = await errorOf(openai.call({ raw }));
    expect(error).toMatchObject({ code: 'provider-failed', message: expect.stringContaining('longer than') });
  });

  test('prints nothing and gets no further header, whatever OPENAI_ variables are set', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-secret: 1');
    vi.stubEnv('OPENAI_ORG_ID', 'org-1');
    vi.stubEnv('OPENAI_API_KEY', 'sk-not-given');
    await openai.call('{}');
    vi.unstubAllEnvs();
    expect(Object.keys(openai.server.chats[0]!.headers)).not.toContain('x-secret');
    expect(JSON.stringify(openai.server.chats[0]!.headers)).not.toMatch(/org-1|sk-not-given/);
  });
});
