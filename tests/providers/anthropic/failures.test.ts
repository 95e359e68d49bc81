import { describe, expect, test } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createHttpFetch } from '../../../src/providers/wire/http.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { said } from '../../servers/anthropic-wire.ts';
import { faults } from '../../servers/faults.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { key, model, useAnthropic } from './fixture.ts';

const anthropic = useAnthropic();

const error = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_01' });
const stream = { 'content-type': 'text/event-stream' };
const begun = 'event: message_start\ndata: {"type":"message_start","message":{"usage":{}}}\n\n';

describe('failures of a call', () => {
  test.each([
    [400, 'request-refused', false],
    [401, 'credentials-refused', false],
    [402, 'provider-failed', false],
    [403, 'credentials-refused', false],
    [404, 'model-missing', false],
    [408, 'provider-failed', true],
    [409, 'provider-failed', true],
    [413, 'prompt-too-long', false],
    [429, 'rate-limited', true],
    [500, 'provider-failed', true],
    [503, 'provider-failed', true],
    [504, 'provider-failed', true],
    [529, 'provider-failed', true],
  ])('%i is %s', async (status, code, transient) => {
    for (const body of [error('some_error', 'why not'), 'why not', '', '<html></html>']) {
      const failure = await errorOf(anthropic.call(faults.status(status, body), { schema: null }));
      expect(failure).toMatchObject({ code, transient, retryAfterMs: null });
      expect(failure.hint).not.toBe('');
    }
  });

  test.each([
    ['prompt is too long: 300000 tokens > 200000 maximum', 'prompt-too-long'],
    ['input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000', 'prompt-too-long'],
    ['Your credit balance is too low to access the Anthropic API.', 'provider-failed'],
    ['You have reached your specified API usage limits.', 'provider-failed'],
  ])('400 with "%s" is %s, and not tried again', async (message, code) => {
    const refusal = faults.status(400, error('invalid_request_error', message));
    const failure = await errorOf(anthropic.call(refusal));
    expect(failure).toMatchObject({ code, transient: false });
    expect(failure.message).toContain(message);
    expect(anthropic.bodies()).toHaveLength(1);
  });

  test.each([
    [{ 'retry-after': '7' }, 7000, true],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250, true],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0, true],
    [{ 'x-should-retry': 'false' }, null, false],
  ])('429 with %o', async (headers, retryAfterMs, transient) => {
    const limit = faults.status(429, error('rate_limit_error', 'slow down'), headers);
    const failure = await errorOf(anthropic.call(limit));
    expect(failure).toMatchObject({ code: 'rate-limited', retryAfterMs, transient });
  });

  test.each([
    ['an overload', 'overloaded_error', 'provider-failed', true],
    ['an error of theirs', 'api_error', 'provider-failed', true],
    ['a rate limit', 'rate_limit_error', 'rate-limited', true],
    ['something else', 'invalid_request_error', 'provider-failed', false],
  ])('%s, at the start and during the stream', async (_what, type, code, transient) => {
    const body = { type, message: 'no more' } as unknown as string;
    for (const fault of [faults.errorWith200(body), faults.errorMidStream(body)]) {
      const failure = await errorOf(anthropic.call(fault));
      expect(failure).toMatchObject({ code, transient, message: /: no more$/ });
    }
  });

  test.each([
    ['a reset', faults.reset(), true],
    ['an event cut off', faults.cutMidLine(), true],
    ['no last event', faults.noDone(), true],
    ['an event that is not JSON', faults.garbageLine(), true],
    ['nothing at all', faults.status(200, '', stream), true],
    ['the end without a reason', said([{ type: 'text', text: 'x' }], { stopReason: null }), true],
    ['the end alone', faults.status(200, 'event: message_stop\ndata: {"type":"message_stop"}\n\n', stream), true],
    ['half a line', faults.status(200, `${begun}event: content_bl`, stream), true],
    ['a list as an event', faults.status(200, `${begun}event: x\ndata: [1]\n\n`, stream), true],
    ['a web page', faults.html(), false],
    ['plain text', faults.status(200, 'hello'), false],
    ['a message in one piece', faults.status(200, { type: 'message', content: [] }), false],
    ['an error with 200 and no stream', faults.status(200, error('invalid_request_error', 'x')), false],
    ['an overload with 200 and no stream', faults.status(200, error('overloaded_error', 'x')), true],
  ])('%s fails the provider', async (_what, fault, transient) => {
    const failure = await errorOf(anthropic.call(fault));
    expect(failure).toMatchObject({ code: 'provider-failed', transient });
    expect(failure.hint).not.toBe('');
  });

  test.each([
    ['model_context_window_exceeded', 'prompt-too-long', /before the reply had ended/],
    ['refusal', 'provider-failed', /refused to answer \(cyber: not that\)$/],
    ['pause_turn', 'provider-failed', /paused/],
  ])('a reply that ends with %s is an error', async (stopReason, code, message) => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: 'not that' };
    const reply = said([{ type: 'text', text: '{"answer":"x"}' }], { stopReason, stopDetails });
    expect(await errorOf(anthropic.call(reply))).toMatchObject({ code, message, transient: false });
  });

  test('429 for a spend limit is not tried again, and is not a long prompt', async () => {
    const limit = {
      type: 'rate_limit_error',
      message: 'Monthly limit',
      details: { error_code: 'enforced_spend_limit_reached' },
    };
    const spent = await errorOf(anthropic.call(faults.status(429, { type: 'error', error: limit })));
    expect(spent).toMatchObject({ code: 'provider-failed', transient: false, hint: /billing/ });
    const busy = faults.status(429, error('rate_limit_error', 'too many tokens for the context window tier'));
    expect(await errorOf(anthropic.call(busy))).toMatchObject({ code: 'rate-limited' });
  });

  test('an invalid key is refused before it is sent, and not shown', async () => {
    const { url } = await anthropic.start('x');
    for (const apiKey of ['sk-ant\nx-evil: 1', 'schlüssel', '']) {
      const provider = createAnthropicProvider({ baseUrl: url, model, apiKey });
      const failure = await errorOf(provider.inspect(signal));
      expect(failure).toMatchObject({ code: 'credentials-refused', message: /characters that no key has/ });
      expect(failure.message).not.toContain('evil');
    }
    expect(anthropic.server.paths).toEqual([]);
  });

  test('a stream that ends before its last event is complete is an error (every third byte is tried)', async () => {
    const provider = await anthropic.provider('ü – 漢字 🙂', { endsAfter: (index) => 3 * index });
    const call = () => provider.call(answerRequest(), { signal }).catch((thrown: unknown) => thrown);
    const outcomes: unknown[] = [];
    while (outcomes.at(-1) === undefined || outcomes.at(-1) instanceof RlmError) {
      outcomes.push(...(await Promise.all(Array.from({ length: 50 }, call))));
    }
    const failures = outcomes.filter((outcome) => outcome instanceof RlmError);
    const replies = outcomes.filter((outcome) => !(outcome instanceof RlmError));
    for (const failure of failures) expect(failure).toMatchObject({ code: 'provider-failed', transient: true });
    for (const reply of replies) expect(reply).toMatchObject({ text: 'ü – 漢字 🙂' });
    const headers = { authorization: `Bearer ${key}`, 'anthropic-version': '2026-10-21' };
    const whole = { method: 'POST', headers, body: JSON.stringify(anthropic.bodies()[0]) };
    const response = await createHttpFetch()(`${anthropic.server.url}/v1/messages`, whole);
    expect(failures).toHaveLength(Math.ceil(Buffer.byteLength((await response.text()).trimEnd()) / 3));
  });

  test('a stream without end is cut off', async () => {
    const comment = `: ${'x'.repeat(1_000_000)}\n`;
    const endless = faults.status(200, comment.repeat(70), stream);
    expect(await errorOf(anthropic.call(endless))).toMatchObject({ message: /longer than 67108864 bytes/ });
  });

  test('a redirect to another host is not followed, and the message mentions no timeout', async () => {
    const away = faults.status(307, '', { location: 'http://127.0.0.2:1/' });
    expect(await errorOf(anthropic.call(away))).toMatchObject({
      code: 'provider-unreachable',
      message: /redirects to another host/,
    });
    const late = faults.status(500, error('api_error', 'Request timed out'));
    expect(await errorOf(anthropic.call(late))).toMatchObject({
      message: /Request timed out/,
      transient: true,
    });
  });

  test('a prompt that does not fit is refused by the server', async () => {
    const models = [{ id: model, window: 1000 }];
    const messages = [{ role: 'user', content: 'word '.repeat(2000) } as const];
    const failure = await errorOf(anthropic.call('x', { messages }, { models }));
    expect(failure).toMatchObject({ code: 'prompt-too-long', message: /tokens > 1000 maximum/ });
  });

  test('a lost server is a broken connection', async () => {
    const provider = await anthropic.provider('x');
    await anthropic.server.close();
    const failure = await errorOf(provider.call(answerRequest(), { signal }));
    expect(failure).toMatchObject({ code: 'provider-unreachable', transient: true });
  });

  test("the server's message is shown on one line, without control codes and secrets", async () => {
    const { url } = await anthropic.start(faults.errorMidStream('first\n\u001b[31msecret'));
    const redact = (text: string) => text.replaceAll('secret', '[redacted]');
    const provider = createAnthropicProvider({ baseUrl: url, model, apiKey: key, redact });
    const { message } = await errorOf(provider.call(answerRequest(), { signal }));
    expect(message).toMatch(/: first \[31m\[redacted\]$/);
  });
});
