import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/providers/wire/http-errors.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { useOllama } from './fixture.ts';

const ollama = useOllama();

const prompt = (content: string, windowTokens: number) => ({
  messages: [{ role: 'user', content } as const],
  windowTokens,
});
const prose = (bytes: number) => 'The pool was limited to 20 by release 4.2. '.repeat(bytes / 43 + 1).slice(0, bytes);

describe('failures of a call', () => {
  test.each([
    [400, 'request-refused', false],
    [401, 'credentials-refused', false],
    [403, 'credentials-refused', false],
    [404, 'model-missing', false],
    [408, 'provider-failed', true],
    [409, 'provider-failed', true],
    [413, 'prompt-too-long', false],
    [429, 'rate-limited', true],
    [500, 'provider-failed', true],
    [502, 'provider-failed', true],
    [503, 'provider-failed', true],
  ])('%i is %s', async (status, code, transient) => {
    for (const body of [{ error: 'why not' }, 'why not', '', '<html></html>']) {
      const error = await errorOf(ollama.call(faults.status(status, body)));
      expect(error).toMatchObject({ code, transient, retryAfterMs: null });
      expect(error.hint).not.toBe('');
    }
  });

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'soon' }, null],
  ])('%o gives a waiting time of %s ms', async (headers, ms) => {
    const { retryAfterMs: found } = await errorOf(ollama.call(faults.status(429, { error: 'slow down' }, headers)));
    expect(found).toBe(ms);
  });

  test('retry-after may be a date', () => {
    const headers = { get: (name: string) => (name === 'retry-after' ? 'Thu, 01 Jan 2026 00:00:30 GMT' : null) };
    expect(retryAfterMs(headers, Date.UTC(2026, 0, 1))).toBe(30_000);
    expect(retryAfterMs(headers, Date.UTC(2027, 0, 1))).toBe(0);
  });

  test.each([
    ['a reset', faults.reset(), true],
    ['a line cut off', faults.cutMidLine(), true],
    ['no last object', faults.noDone(), true],
    ['a line that is not JSON', faults.garbageLine(), true],
    ['an error with 200', faults.errorWith200('something odd'), false],
    ['an error in mid-stream', faults.errorMidStream('something odd'), false],
    ['an overload in mid-stream', faults.errorMidStream('server busy, please try again'), true],
    ['a web page', faults.html(), false],
  ])('%s fails the provider', async (_what, fault, transient) => {
    expect(await errorOf(ollama.call(fault))).toMatchObject({ code: 'provider-failed', transient });
  });

  test("the server's message is shown, on one line and without control codes", async () => {
    const { message } = await errorOf(ollama.call(faults.errorMidStream('first\n\u001b[31msecond')));
    expect(message).toMatch(/reports: first \[31msecond$/);
  });

  test('an unknown model is named with what to type', async () => {
    const provider = await ollama.provider('x', {}, 'nosuch');
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'model-missing', hint: 'ollama pull nosuch, or: rlm models pull nosuch' });
  });

  test('a lost server is a broken connection', async () => {
    const provider = await ollama.provider('x');
    await ollama.server.close();
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'provider-unreachable', transient: true });
  });
});

describe('a prompt that does not fit', () => {
  test('is refused by the server', async () => {
    const error = await errorOf(ollama.call('x', prompt(prose(20_000), 4096)));
    expect(error).toMatchObject({ code: 'prompt-too-long', transient: false });
    expect(error.message).toContain('the input length exceeds the context length');
    expect(error.hint).toContain('context.maxWindowTokens');
  });

  test('is refused in the words of servers that run llama-server', async () => {
    const message = 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it';
    const inner = { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: 5000, n_ctx: 4096 };
    const refusal = faults.status(400, { error: JSON.stringify({ error: inner }) });
    const error = await errorOf(ollama.call(refusal));
    expect(error).toMatchObject({ code: 'prompt-too-long', message: expect.stringContaining(message) });
  });

  test('is noticed if a server cuts it anyway', async () => {
    const error = await errorOf(ollama.call('x', prompt(prose(20_000), 4096), { ignoreTruncate: true }));
    expect(ollama.server.requests[0]!.cut).toBe(true);
    expect(error).toMatchObject({ code: 'prompt-too-long', message: /cut it to 4096 tokens/ });
  });

  test('is not suspected if it fits', async () => {
    const provider = await ollama.provider('x');
    for (const content of [prose(20_000), ' '.repeat(60_000), prose(3000)]) {
      expect((await provider.call(answerRequest(prompt(content, 16_384)), { signal })).text).toBe('x');
    }
  });
});
