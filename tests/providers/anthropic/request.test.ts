import { describe, expect, test, vi } from 'vitest';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import type { Message, ToolSpec } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { key, model, useAnthropic } from './fixture.ts';

const anthropic = useAnthropic();

const search: ToolSpec = {
  name: 'search_context',
  about: 'Searches the text.',
  schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const mark = { cache_control: { type: 'ephemeral' } };

describe('the request', () => {
  test('has only what was requested, with a closed schema without ranges', async () => {
    const provider = await anthropic.provider('x');
    await provider.inspect(signal);
    const schema = {
      type: 'object',
      properties: {
        score: { type: 'integer', minimum: 0 },
        list: { type: 'array', items: { type: 'object', properties: {} } },
      },
      required: ['score', 'list'],
    };
    await provider.call(answerRequest({ schema, seed: 7, temperature: 2 }), { signal });
    const list = { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } };
    expect(anthropic.bodies()).toEqual([
      {
        model,
        max_tokens: 512,
        stream: true,
        system: [{ type: 'text', text: 'You answer with JSON.', ...mark }],
        messages: [{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('payment service') }] }],
        output_config: {
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { score: { type: 'integer' }, list },
              required: ['score', 'list'],
              additionalProperties: false,
            },
          },
        },
        thinking: { type: 'between_tools' },
      },
    ]);
  });

  test.each([
    ['off, where it can be', ['adaptive', 'disabled'], { thinking: { type: 'disabled' } }],
    ['short, where it cannot', ['adaptive'], { output_config: { effort: 'low' } }],
    ['left alone, where there is none', null, {}],
  ] as const)('thinking is %s', async (_how, thinking, expected) => {
    const provider = await anthropic.provider('x', { models: [{ id: model, thinking }] });
    await provider.inspect(signal);
    await provider.call(answerRequest({ schema: null }), { signal });
    const { thinking: sent, output_config: config } = anthropic.bodies()[0]!;
    expect({ ...(sent ? { thinking: sent } : {}), ...(config ? { output_config: config } : {}) }).toEqual(expected);
  });

  test("has no higher limit than the model's", async () => {
    const provider = await anthropic.provider('x', { models: [{ id: model, maxOutput: 300 }] });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies()[0]).toMatchObject({ max_tokens: 300 });
  });

  test('has blocks in order, arguments as objects, and a mark after the stable part for a conversation with tools', async () => {
    const call = (id: string, given: unknown) => ({ id, name: 'search_context', arguments: given });
    const messages: Message[] = [
      { role: 'system', content: 'first' },
      { role: 'system', content: 'second' },
      { role: 'user', content: 'Why?' },
      { role: 'user', content: ' \n' },
      { role: 'assistant', content: '', toolCalls: [call('a:1', { query: 'x' }), call('b', '{"query":"y"}')] },
      { role: 'tool', callId: 'a:1', name: 'search_context', content: 'one' },
      { role: 'tool', callId: 'b', name: 'search_context', content: '' },
      { role: 'assistant', content: 'More.', toolCalls: [call('c', 'not json'), call('d', [1]), call('e', null)] },
      { role: 'tool', callId: 'c', name: 'search_context', content: 'three' },
      { role: 'tool', callId: 'd', name: 'search_context', content: 'four' },
      { role: 'tool', callId: 'e', name: 'search_context', content: 'five' },
      { role: 'user', content: 'Well?' },
    ];
    await anthropic.call('x', { messages, tools: [search], schema: null });
    const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'search_context', input });
    const result = (id: string, content?: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      ...(content && { content }),
    });
    expect(anthropic.bodies()[0]).toMatchObject({
      system: [
        { type: 'text', text: 'first' },
        { type: 'text', text: 'second', ...mark },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
        { role: 'assistant', content: [use('a_1', { query: 'x' }), use('b', { query: 'y' })] },
        { role: 'user', content: [result('a_1', 'one'), result('b')] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'More.' },
            use('c', { value: 'not json' }),
            use('d', { value: [1] }),
            { ...use('e', {}), ...mark },
          ],
        },
        {
          role: 'user',
          content: [result('c', 'three'), result('d', 'four'), result('e', 'five'), { type: 'text', text: 'Well?' }],
        },
      ],
      tools: [{ name: 'search_context', description: 'Searches the text.', input_schema: search.schema }],
    });
    expect(JSON.stringify(anthropic.bodies()[0]).split('cache_control')).toHaveLength(3);
  });

  test('has no empty turn for an empty reply that is repaired', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'That was empty.' },
    ];
    await anthropic.call('x', { messages });
    const content = ['Why?', 'That was empty.'].map((text) => ({ type: 'text', text }));
    expect(anthropic.bodies()[0]!['messages']).toEqual([{ role: 'user', content }]);
  });

  test('has nothing of the environment or of this machine', async () => {
    const trap = await anthropic.start('x');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'other-token');
    vi.stubEnv('ANTHROPIC_API_KEY', 'other-key');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'authorization: other\nx-own: 1');
    vi.stubEnv('ANTHROPIC_LOG', 'debug');
    await createAnthropicProvider({ baseUrl: trap.url, model, apiKey: key }).call(answerRequest(), { signal });
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = trap.requests[0]!.headers;
    expect(headers).toEqual({
      accept: 'application/json',
      'anthropic-version': '2026-10-21',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    });
  });
});

describe('a request that is partly refused', () => {
  const object = { answer: 'x', citations: [], assumptions: [] };

  test.each([
    ["'output_config.format' is not supported", ['output_config'], 'tool'],
    ['output_config: Extra inputs are not permitted', ['output_config'], 'tool'],
    [
      'tool_choice: thinking may not be used when tool_choice forces tool use',
      ['output_config', 'tool_choice'],
      'words',
    ],
    ['I am an old server', ['output_config', 'tool_choice'], 'words'],
  ])('%s: requested in another way from then on', async (message, refused, form) => {
    const refuses = (body: object) => (refused.some((name) => name in body) ? message : null);
    const provider = await anthropic.provider(object, { refuses });
    const { text, toolCalls } = await provider.call(answerRequest(), { signal });
    expect({ reply: JSON.parse(text), toolCalls }).toEqual({ reply: object, toolCalls: [] });
    const asked = anthropic.bodies().length;
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies()).toHaveLength(asked + 1);
    const last = anthropic.bodies().at(-1)!;
    expect('tool_choice' in last ? 'tool' : 'output_config' in last ? 'schema' : 'words').toBe(form);
  });

  test('forces a tool from the first request on for a model without structured output', async () => {
    const provider = await anthropic.provider(object, { models: [{ id: model, structuredOutput: false }] });
    await provider.inspect(signal);
    expect(JSON.parse((await provider.call(answerRequest(), { signal })).text)).toEqual(object);
    expect(anthropic.bodies()).toHaveLength(1);
  });

  test('loses thinking, effort and marks one by one, and keeps the schema', async () => {
    const refuses = (body: object) => {
      if (JSON.stringify(body).includes('cache_control'))
        return 'system.0.cache_control: Extra inputs are not permitted';
      return 'thinking' in body ? 'thinking: Extra inputs are not permitted' : null;
    };
    const provider = await anthropic.provider(object, { refuses });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies().at(-1)).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
    expect(anthropic.bodies()).toHaveLength(3);
  });

  test('effort', async () => {
    const refuses = (body: object) => (JSON.stringify(body).includes('"effort"') ? 'effort: no' : null);
    const provider = await anthropic.provider(object, { refuses, models: [{ id: model, thinking: ['adaptive'] }] });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies()[1]!['output_config']).not.toHaveProperty('effort');
  });

  test('teaches nothing if it is wrong in any case', async () => {
    let isWrong = true;
    const provider = await anthropic.provider(object, { refuses: () => (isWrong ? 'no' : null) });
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'request-refused', transient: false });
    isWrong = false;
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies().at(-1)).toHaveProperty('output_config.format');
  });

  test('has nothing to leave out without a schema', async () => {
    const provider = await anthropic.provider(object, { refuses: () => 'no' });
    await errorOf(provider.call(answerRequest({ schema: null }), { signal }));
    expect(anthropic.bodies()).toHaveLength(1);
  });
});
