import { describe, expect, test } from 'vitest';
import { isBrokenReply } from '../../../src/providers/broken-reply.ts';
import type { Message, ToolSpec } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOllama } from './fixture.ts';

const ollama = useOllama();

const peek: ToolSpec = {
  name: 'peek_context',
  about: 'Shows lines of a document.',
  schema: { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] },
};
const withTools = { schema: null, tools: [peek] };
const toolCall = (name: string, args: unknown, more: object = {}) => ({
  message: { tool_calls: [{ ...more, function: { index: 0, name, arguments: args } }] },
});

describe('tools', () => {
  test("are offered in the server's form, and the calls of all parts are returned", async () => {
    const parts = [
      { message: { content: 'I will ' } },
      toolCall('peek_context', { from: 1 }, { id: 'call_zufall' }),
      { message: { content: 'look.' } },
      toolCall('peek_context', '{"from": 7}'),
    ];
    const reply = await ollama.call(faults.parts(parts), withTools);
    expect(reply).toMatchObject({ text: 'I will look.', finish: 'stop' });
    expect(reply.toolCalls).toEqual([
      { id: 'call_1', name: 'peek_context', arguments: { from: 1 } },
      { id: 'call_2', name: 'peek_context', arguments: { from: 7 } },
    ]);
    const { tools, format, think } = ollama.server.requests[0]!.body;
    const { name, about: description, schema: parameters } = peek;
    expect(tools).toEqual([{ type: 'function', function: { name, description, parameters } }]);
    expect([format, think]).toEqual([undefined, undefined]);
  });

  test('the characters of calls are reported, so that a server that ignores the limit of a reply is noticed', async () => {
    const parts = Array.from({ length: 3 }, (_, from) => toolCall('peek_context', { from: `${from}`.repeat(500) }));
    const counts: number[] = [];
    const provider = await ollama.provider(faults.parts(parts));
    await provider.call(answerRequest(withTools), { signal, onProgress: (count) => counts.push(count) });
    expect(counts.at(-1)).toBeGreaterThan(1_500);
  });

  test('earlier calls and their results are sent in this form, and ids are not used twice', async () => {
    const turns: Message[] = [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'call_1', name: 'peek_context', arguments: '{"from": 1}' },
          { id: 'call_2', name: 'peek_context', arguments: 'everything' },
        ],
      },
      { role: 'tool', callId: 'call_1', name: 'peek_context', content: 'line 1' },
      { role: 'tool', callId: 'call_2', name: 'peek_context', content: 'no such line' },
    ];
    const reply = await ollama.call(faults.parts([toolCall('peek_context', null)]), { ...withTools, messages: turns });
    expect(reply.toolCalls).toEqual([{ id: 'call_3', name: 'peek_context', arguments: {} }]);
    expect(ollama.server.requests[0]!.messages).toEqual([
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'call_1', function: { name: 'peek_context', arguments: { from: 1 } } },
          { id: 'call_2', function: { name: 'peek_context', arguments: { value: 'everything' } } },
        ],
      },
      { role: 'tool', content: 'line 1', tool_name: 'peek_context', tool_call_id: 'call_1' },
      { role: 'tool', content: 'no such line', tool_name: 'peek_context', tool_call_id: 'call_2' },
    ]);
  });

  test('calls that name no tool are ignored', async () => {
    const odd = [{ message: { tool_calls: [null, {}, { function: { name: 7 } }] } }, { message: { tool_calls: 'x' } }];
    expect((await ollama.call(faults.parts(odd), withTools)).toolCalls).toEqual([]);
  });

  test('a model that refuses tools is asked for calls in words, and gets no tools any more', async () => {
    const models = [{ name: model, capabilities: ['completion'] }];
    const provider = await ollama.provider('ANSWER: x', { models });
    const messages: Message[] = [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: 'Well.',
        toolCalls: [{ id: 'call_1', name: 'peek_context', arguments: { from: 1 } }],
      },
      { role: 'tool', callId: 'call_1', name: 'peek_context', content: 'line 1' },
    ];
    for (let count = 0; count < 2; count++) {
      const reply = await provider.call(answerRequest({ ...withTools, messages }), { signal });
      expect(reply.text).toBe('ANSWER: x');
    }
    expect(ollama.server.paths).toEqual(['/api/chat', '/api/chat', '/api/chat']);
    const [first, second] = ollama.server.requests;
    expect(first!.body).not.toHaveProperty('tools');
    expect(second!.messages).toEqual(first!.messages);
    expect(first!.messages.slice(0, 3)).toEqual([
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'Well.\npeek_context {"from":1}' },
      { role: 'user', content: 'Result of peek_context:\nline 1' },
    ]);
    expect(first!.messages[3]!.content).toMatch(
      /write the calls down.\n- peek_context: Shows lines.*"integer"[\s\S]*ANSWER:/,
    );
  });

  test('a refusal after the model has written is a broken reply, which the caller pays for before the next request', async () => {
    const refusal = faults.errorMidStream('error parsing tool call: unexpected end');
    const provider = await ollama.provider(({ body }) => (body['tools'] ? refusal : 'ANSWER: x'));
    const call = () => provider.call(answerRequest(withTools), { signal });
    const error = await errorOf(call());
    expect(error).toMatchObject({ transient: true, message: expect.stringContaining('error parsing tool call') });
    expect(isBrokenReply(error)).toBe(true);
    expect(ollama.server.requests).toHaveLength(1);
    expect((await call()).text).toBe('ANSWER: x');
  });

  test('another refusal has no such effect', async () => {
    const error = await errorOf(ollama.call(faults.status(400, { error: 'bad toolbox' }), withTools));
    expect(error.code).toBe('request-refused');
    expect(ollama.server.requests).toHaveLength(1);
    const unasked = faults.status(400, { error: 'no tools, no thinking, no logprobs' });
    await errorOf(ollama.call(unasked, { schema: null }));
    expect(ollama.server.requests).toHaveLength(1);
  });
});

describe('thinking', () => {
  const thinker = (family = 'qwen3') => ({
    models: [{ name: model, capabilities: ['completion', 'thinking'], family }],
  });
  const sentThink = () => ollama.server.requests.map(({ body }) => body['think']);

  test('is excluded from the text, and turned off if a format is requested', async () => {
    const provider = await ollama.provider(faults.thinking('{"answer":"no"}', '{"answer":"x"}'), thinker());
    await provider.inspect(signal);
    expect((await provider.call(answerRequest(), { signal })).text).toBe('{"answer":"x"}');
    await provider.call(answerRequest({ schema: null }), { signal });
    expect(sentThink()).toEqual([false, undefined]);
  });

  test('is requested at the lowest level from a model that always thinks', async () => {
    const provider = await ollama.provider(faults.thinking('hm', '{"answer":"x"}'), thinker('gptoss'));
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(sentThink()).toEqual(['low']);
  });

  test('is left to a server that refuses the field, and the field is never sent again', async () => {
    const refusals: readonly unknown[] = [false, 'low'];
    const provider = await ollama.provider(
      ({ body }) =>
        refusals.includes(body['think']) ? faults.status(400, { error: 'invalid think value' }) : { answer: 'x' },
      thinker('gptoss-like'),
    );
    await provider.inspect(signal);
    // Two concurrent calls discover the refusal together.
    const both = [provider.call(answerRequest(), { signal }), provider.call(answerRequest(), { signal })];
    for (const reply of await Promise.all(both)) expect(reply.text).toBe('{"answer":"x"}');
    await provider.call(answerRequest(), { signal });
    expect(sentThink().filter((think) => think === undefined)).toHaveLength(3);
    expect(sentThink().at(-1)).toBeUndefined();
  });

  test('that takes the whole reply is a failure, not an empty answer', async () => {
    const thought = [{ message: { thinking: 'hm '.repeat(50) } }];
    const error = await errorOf(ollama.call(faults.parts(thought, 'length'), { schema: null }));
    expect(error).toMatchObject({
      code: 'reply-unusable',
      message: /thought until its reply reached the limit of 512 tokens.*no answer/,
      hint: /reply\.maxTokens/,
    });
  });

  test('that ends in tool calls is not a failure', async () => {
    const parts = [{ message: { thinking: 'hm' } }, toolCall('peek_context', { from: 1 })];
    expect(await ollama.call(faults.parts(parts, 'length'), withTools)).toMatchObject({ finish: 'length', text: '' });
  });
});

describe('probabilities of tokens', () => {
  const odds = (token: string, ...others: string[]) => ({
    message: { content: token },
    beside: {
      logprobs: [
        {
          token,
          logprob: -0.5,
          bytes: [1],
          top_logprobs: [token, ...others].map((other) => ({ token: other, logprob: -0.5, bytes: [1] })),
        },
      ],
    },
  });
  const parts = [
    { message: { thinking: 'hm' }, beside: odds('hm').beside },
    odds('SIM', 'COM'),
    { message: { content: 'PLE' }, beside: { logprobs: [null, {}, { token: 'x' }] } },
  ];

  test('are requested where they are needed, and are those of the reply alone', async () => {
    const reply = await ollama.call(faults.parts(parts), { logprobs: true });
    expect(reply.text).toBe('SIMPLE');
    const alternatives = [
      { token: 'SIM', logprob: -0.5 },
      { token: 'COM', logprob: -0.5 },
    ];
    expect(reply.logprobs).toEqual([{ token: 'SIM', logprob: -0.5, alternatives }]);
    expect(ollama.server.requests[0]!.body).toMatchObject({ logprobs: true, top_logprobs: 20 });
  });

  test('are not requested elsewhere, and may be missing from an old server', async () => {
    await ollama.call('x');
    expect(ollama.server.requests[0]!.body).not.toHaveProperty('logprobs');
    const old = faults.parts([{ message: { content: 'x' } }]);
    expect(await ollama.call(old, { logprobs: true })).not.toHaveProperty('logprobs');
  });

  test('are left out if they are refused', async () => {
    const refusal = faults.status(400, { error: 'unknown field: logprobs' });
    const provider = await ollama.provider(({ body }) => ('logprobs' in body ? refusal : 'x'));
    for (let count = 0; count < 2; count++) {
      expect((await provider.call(answerRequest({ logprobs: true }), { signal })).text).toBe('x');
    }
    expect(ollama.server.requests).toHaveLength(3);
  });
});
