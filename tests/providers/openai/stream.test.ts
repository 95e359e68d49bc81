import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { useOpenAi } from './fixture.ts';

const openai = useOpenAi();

const text = '{"answer":"Ünïcödé 四つ 🙂"}';
const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const data = (...values: string[]) => values.map((value) => `data: ${value}\n\n`).join('');
const stop = chunk({}, 'stop');
const half = Math.floor(text.length / 2);
const parts = [chunk({ content: text.slice(0, half) }), chunk({ content: text.slice(half) })];
const usual = data(...parts, stop, '[DONE]');

describe('a stream', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['as OpenAI sends it', usual],
    ['with CRLF', usual.replaceAll('\n', '\r\n')],
    ['with CR', usual.replaceAll('\n', '\r')],
    ['with a byte order mark', `\ufeff${usual}`],
    [
      'with comments and keep-alives',
      `: OPENROUTER PROCESSING\n\n${usual.replaceAll('data:', ':\n\nevent: x\nid: 4\nretry: 9\ndata:')}`,
    ],
    ['with empty data', `data:\n\n${usual}`],
    ['without blanks after the colon', usual.replaceAll('data: ', 'data:')],
    ['without blank lines', usual.replaceAll('\n\n', '\n')],
    ['without an end of the last line', usual.trimEnd()],
    ['without [DONE]', data(...parts, stop)],
    ['without a reason to finish', data(...parts, '[DONE]')],
    [
      'with data of several lines',
      data(...parts.map((part) => JSON.stringify(JSON.parse(part), null, 1).replaceAll('\n', '\ndata: ')), stop),
    ],
    ['with a null error', data(chunk({ content: text }, 'stop', { error: null }), '[DONE]')],
    ['with something after its end', `${usual}data: {"error":"late"}\n\n`],
    [
      'with content in parts',
      data(
        chunk(
          {
            content: [
              { type: 'thinking', thinking: [] },
              { type: 'text', text },
            ],
          },
          'stop',
        ),
      ),
    ],
  ];

  test.each(forms)('%s is read, also byte by byte', async (_, raw) => {
    for (const bytesPerWrite of [Number.POSITIVE_INFINITY, 1]) {
      const reply = await openai.call({ raw }, {}, { bytesPerWrite });
      expect(reply).toEqual({ text, toolCalls: [], tokens: null, finish: 'stop' });
    }
  });

  test('is read if it is a whole reply instead', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } };
    const whole = {
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: text }, finish_reason: 'length' }],
      usage,
    };
    for (const raw of [JSON.stringify(whole), `\n${JSON.stringify(whole, null, 2)}`]) {
      const reply = await openai.call({ raw, type: 'application/json' });
      expect(reply).toEqual({ text, toolCalls: [], tokens: { input: 12, output: 3, cacheRead: 8 }, finish: 'length' });
    }
  });

  test('that never ends after [DONE] is complete, and its connection is closed', async () => {
    expect((await openai.call(faults.endlessAfterDone(text))).text).toBe(text);
    await expect.poll(() => openai.server.openSockets(), { timeout: 3000 }).toBe(0);
  });

  test('reports the usage, with the usual options', async () => {
    const reply = await openai.call(text);
    expect(reply.tokens).toEqual({ input: expect.any(Number), output: Math.ceil(text.length / 4) });
    expect((await openai.call(text, {}, { promptTokens: null })).tokens).toBeNull();
  });

  test('stopped by the limit is marked so', async () => {
    expect(await openai.call(faults.lengthLimit('{"a'))).toMatchObject({ text: '{"a', finish: 'length' });
  });
});

describe('thinking', () => {
  test.each(['reasoning_content', 'reasoning'])('in %s is progress, and not text', async (name) => {
    const counts: number[] = [];
    const raw = data(chunk({ [name]: 'hmm, ' }), chunk({ [name]: 'well' }), chunk({ content: text }), stop, '[DONE]');
    const provider = await openai.provider({ raw });
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply.text).toBe(text);
    expect(counts.slice(0, 3)).toEqual([5, 9, 9 + text.length]);
  });
});

test('that leaves no room for an answer is named in the error', async () => {
  const raw = data(chunk({ reasoning: 'hmm, ' }), chunk({}, 'length'), '[DONE]');
  const error = await errorOf(openai.call({ raw }));
  expect(error).toMatchObject({ code: 'reply-unusable', hint: expect.stringContaining('reply.maxTokens') });
});

describe('tool calls', () => {
  const tools: ToolSpec[] = [{ name: 'search', about: '', schema: { type: 'object' } }];
  const call = (raw: string) => openai.call({ raw }, { tools, schema: null });
  const delta = (...calls: object[]) => chunk({ tool_calls: calls });
  const named = (name: string, given: string) => ({ type: 'function', function: { name, arguments: given } });

  test('are assembled from their parts, also interleaved ones', async () => {
    const raw = data(
      delta({ index: 0, id: 'a', ...named('search', '') }),
      delta({ index: 0, function: { arguments: '{"query":' } }),
      delta({ index: 1, id: 'b', ...named('list', '{') }, { index: 0, function: { arguments: '"pool"}' } }),
      delta({ index: 1, function: { arguments: '}' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    );
    expect(await call(raw)).toMatchObject({
      text: '',
      finish: 'stop',
      toolCalls: [
        { id: 'a', name: 'search', arguments: '{"query":"pool"}' },
        { id: 'b', name: 'list', arguments: '{}' },
      ],
    });
  });

  test.each([
    [
      'the same number for all',
      [
        { index: 0, id: 'a', ...named('x', '{}') },
        { index: 0, id: 'b', ...named('y', '{}') },
      ],
    ],
    [
      'no numbers',
      [
        { id: 'a', ...named('x', '{}') },
        { id: 'b', ...named('y', '{}') },
      ],
    ],
  ])('with %s are distinguished', async (_, calls) => {
    const { toolCalls } = await call(data(...calls.map((one) => delta(one)), stop));
    expect(toolCalls.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
  });

  test('without ids get their own ids', async () => {
    const { toolCalls } = await call(data(delta(named('x', '{}'), named('y', '{"a":1}')), stop));
    expect(toolCalls.map(({ name, arguments: given }) => [name, given])).toEqual([
      ['x', '{}'],
      ['y', '{"a":1}'],
    ]);
    expect(toolCalls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  test('without ids get no id that the server gave to another call', async () => {
    const before = {
      role: 'assistant' as const,
      content: '',
      toolCalls: [{ id: 'call_2', name: 'x', arguments: '{}' }],
    };
    const calls = [named('x', '{}'), { id: 'call_3', ...named('y', '{}') }, named('z', '{}')];
    const raw = data(delta(...calls.map((one, index) => ({ index, ...one }))), stop);
    const { toolCalls } = await openai.call({ raw }, { tools, schema: null, messages: [before] });
    expect(toolCalls.map(({ id }) => id)).toEqual(['call_4', 'call_3', 'call_5']);
  });

  test("keep the model's text, and are ignored if no tools were offered", async () => {
    const raw = data(
      delta({ index: 0, id: 'a', ...named('search', '{"query": oops') }),
      chunk({ content: 'x' }, 'stop'),
    );
    expect((await call(raw)).toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{"query": oops' }]);
    expect((await openai.call({ raw })).toolCalls).toEqual([]);
  });

  test('are read from a whole reply', async () => {
    const message = { content: null, tool_calls: [{ id: 'a', ...named('search', '{}') }] };
    const raw = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] });
    expect((await call(raw)).toolCalls).toEqual([{ id: 'a', name: 'search', arguments: '{}' }]);
  });
});

describe('no answer', () => {
  const never: readonly (readonly [string, string, boolean])[] = [
    ['a content filter', data(chunk({ content: 'I' }), chunk({}, 'content_filter'), '[DONE]'), false],
    ['a refusal', data(chunk({ refusal: "I'm sorry, " }), chunk({ refusal: 'no.' }, 'stop'), '[DONE]'), false],
    ['an error as the reason to finish', data(chunk({ content: 'I' }), chunk({}, 'error'), '[DONE]'), true],
    ['an end in the middle', data(...parts), true],
    ['nothing at all', '', true],
    ['half an event', `${data(parts[0]!)}data: {"choices":[{"del`, true],
    ['data that is no JSON', data(parts[0]!, 'what?', '[DONE]'), true],
    ['data that is no object', data('null', '[DONE]'), true],
    ['an error', data('{"error":{"message":"something odd","type":"server_error"}}'), false],
    ['an error in mid-stream', data(parts[0]!, '{"error":{"message":"something odd"}}'), false],
    ['an error as text', data('{"error":"something odd"}'), false],
    ['an error of an old vLLM', data('{"object":"error","message":"something odd"}', '[DONE]'), false],
    ['a detail', '{"detail":"something odd"}', false],
    ['a list of errors', '[{"error":{"message":"something odd"}}]', false],
    ['an overload', data('{"error":{"message":"Overloaded, try again","code":503}}'), true],
  ];

  test.each(never)('%s fails the provider', async (what, raw, transient) => {
    const error = await errorOf(openai.call({ raw }));
    expect(error).toMatchObject({ code: 'provider-failed', transient });
    expect(error.hint).not.toBe('');
    if (raw.includes('odd')) expect(error.message, what).toContain('something odd');
  });

  test.each([
    ['text/html', '<!doctype html><p>Sign in</p>'],
    ['text/plain', 'upstream connect error'],
    ['application/json', '{"hello":"world"}'],
    ['application/json', ''],
  ])('%s is not a reply', async (type, raw) => {
    expect(await errorOf(openai.call({ raw, type }))).toMatchObject({ code: 'provider-failed', transient: false });
  });

  test('an error with its own status is classified by it', async () => {
    const error = (code: number) => ({ raw: data(`{"error":{"message":"no","code":${code}}}`) });
    expect(await errorOf(openai.call(error(429)))).toMatchObject({ code: 'rate-limited', transient: true });
    expect(await errorOf(openai.call(error(401)))).toMatchObject({ code: 'credentials-refused' });
  });

  test('a parameter that is refused in the first event is left out', async () => {
    const raw = data('{"error":{"message":"temperature is not supported"}}');
    expect((await openai.call(({ body }) => ('temperature' in body ? { raw } : text))).text).toBe(text);
    const late = { raw: data(parts[0]!, '{"error":{"message":"temperature is not supported"}}') };
    expect(await errorOf(openai.call(late))).toMatchObject({ code: 'provider-failed' });
    expect(openai.bodies()).toHaveLength(1);
  });
});
