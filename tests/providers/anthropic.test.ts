import { describe, expect, test, vi } from 'vitest';
import { createAnthropicProvider } from '../../src/providers/anthropic.ts';
import type { Message, ToolSpec } from '../../src/providers/provider.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import { said } from '../servers/anthropic-wire.ts';
import { faults } from '../servers/ollama-faults.ts';
import { key, model, signal, useAnthropic } from './anthropic-fixture.ts';

const anthropic = useAnthropic();

const search: ToolSpec = {
  name: 'search_context',
  about: 'Searches the text.',
  schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const mark = { cache_control: { type: 'ephemeral' } };

describe('inspect', () => {
  test('tells what the API says of the model', async () => {
    const provider = await anthropic.provider('x');
    expect(await provider.inspect(signal)).toEqual({
      model,
      maxWindowTokens: 1_000_000,
      structuredOutput: true,
      tools: true,
      spends: 'money',
      digest: model,
      callsAtOnce: 8,
      answersWithoutText: true,
      notices: [],
    });
    expect(anthropic.server.paths).toEqual([`/v1/models/${model}`]);
  });

  test.each([
    ['a window that is not told', { window: null }, /200000 tokens are assumed/],
    ['a model that says nothing', { isMute: true }, /200000 tokens are assumed/],
    ['a model that ends soon', { lifecycle: 'deprecated', retiresAt: '2026-11-30T00:00:00Z' }, /ends on 2026-11-30/],
    ['a model that always thinks', { thinking: ['adaptive'] }, /counts towards reply\.maxTokens/],
  ] as const)('%s is told', async (_what, about, notice) => {
    const info = await (await anthropic.provider('x', { models: [{ id: model, ...about }] })).inspect(signal);
    expect(info.notices).toEqual([expect.stringMatching(notice)]);
  });

  test('a missing model is named beside those like it', async () => {
    const models = ['claude-opus-5-5', 'claude-haiku-5-5', ...Array.from({ length: 9 }, (_, n) => `claude-x-${n}`)];
    const options = { models: models.map((id) => ({ id })) };
    const provider = await anthropic.provider('x', options, 'claude-haiku-5-6');
    const { code, message, hint } = await anthropic.errorOf(provider.inspect(signal));
    expect(code).toBe('model-missing');
    expect(message).toMatch(/no model "claude-haiku-5-6"; it has claude-haiku-5-5, claude-opus-5-5, .*and 3 more$/);
    expect(hint).toContain('--model');
  });

  test('a retired model is missing', async () => {
    const provider = await anthropic.provider('x', { models: [{ id: model, lifecycle: 'retired' }] });
    expect(await anthropic.errorOf(provider.inspect(signal))).toMatchObject({ code: 'model-missing' });
  });

  test('a server that lists models and shows none will do', async () => {
    const elsewhere = (path: string) => (path.includes('?') ? null : faults.status(404, 'not here'));
    const provider = await anthropic.provider('x', { elsewhere });
    expect(await provider.inspect(signal)).toMatchObject({ model, maxWindowTokens: 1_000_000 });
  });

  test('without a key nothing is sent to the hosted API', async () => {
    const provider = createAnthropicProvider({ baseUrl: 'https://api.anthropic.com/', model, apiKey: null });
    for (const work of [
      provider.inspect(signal),
      provider.survey!(signal),
      provider.call(answerRequest(), { signal }),
    ]) {
      const error = await anthropic.errorOf(work);
      expect(error).toMatchObject({ code: 'credentials-refused', message: /ANTHROPIC_API_KEY is not set/ });
      expect(error.hint).toContain('ANTHROPIC_API_KEY');
    }
  });

  test('a server of one’s own may want none', async () => {
    const { url } = await anthropic.start('x', { key: null });
    const provider = createAnthropicProvider({ baseUrl: `${url}/v1/`, model, apiKey: null });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  test.each([
    [
      'a wrong key',
      faults.status(401, { type: 'error', error: { type: 'authentication_error' } }),
      'credentials-refused',
    ],
    ['a page', faults.html(), 'provider-unreachable'],
    ['other JSON', faults.status(200, { hello: 1 }), 'provider-unreachable'],
    ['no JSON', faults.status(200, '{', { 'content-type': 'application/json' }), 'provider-unreachable'],
    ['an overload', faults.status(529, 'busy'), 'provider-unreachable'],
    ['a reset', faults.reset(), 'provider-unreachable'],
    ['a redirect', faults.status(307, '', { location: 'http://127.0.0.2:1/' }), 'provider-unreachable'],
    ['404 for everything', faults.status(404, '<html></html>'), 'model-missing'],
  ])('%s is an error', async (_what, fault, code) => {
    const provider = await anthropic.provider('x', { elsewhere: () => fault });
    expect(await anthropic.errorOf(provider.inspect(signal))).toMatchObject({ code });
  });

  test('an abort ends it', async () => {
    const provider = await anthropic.provider('x', { elsewhere: () => faults.stall() });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 20);
    await expect(provider.inspect(controller.signal)).rejects.toBe(reason);
  });

  test('survey lists the models with what they can do', async () => {
    const models = [
      { id: model },
      { id: 'claude-haiku-4-5', window: 200_000, thinking: null, structuredOutput: false },
    ];
    const { models: listed, address } = await (await anthropic.provider('x', { models })).survey!(signal);
    expect(address).toBe(anthropic.server.url);
    expect(listed).toEqual([
      {
        name: model,
        sizeBytes: null,
        capabilities: ['completion', 'tools', 'thinking', 'structured output'],
        windowTokens: 1_000_000,
      },
      { name: 'claude-haiku-4-5', sizeBytes: null, capabilities: ['completion', 'tools'], windowTokens: 200_000 },
    ]);
  });

  test('an address that is none is a wrong setting', () => {
    const make = (baseUrl: string) => () => createAnthropicProvider({ baseUrl, model, apiKey: key });
    for (const wrong of ['api.anthropic.com', 'ftp://x', 'https://x?y', '']) {
      expect(make(wrong)).toThrow(/anthropic\.baseUrl is no address/);
    }
  });
});

describe('what is sent', () => {
  test('the request, its schema closed and without ranges, and no more', async () => {
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

  test('no longer reply than the model can give', async () => {
    const provider = await anthropic.provider('x', { models: [{ id: model, maxOutput: 300 }] });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies()[0]).toMatchObject({ max_tokens: 300 });
  });

  test('a conversation with tools: blocks in order, arguments as objects, the stable part marked', async () => {
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
            use('c', { text: 'not json' }),
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

  test('an empty reply that is to be repaired leaves no empty turn', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'That was empty.' },
    ];
    await anthropic.call('x', { messages });
    const content = ['Why?', 'That was empty.'].map((text) => ({ type: 'text', text }));
    expect(anthropic.bodies()[0]!['messages']).toEqual([{ role: 'user', content }]);
  });

  test('nothing of the environment, and nothing of this machine', async () => {
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
      'user-agent': expect.stringMatching(/^Anthropic\/JS /),
    });
  });
});

describe('a request that is refused in part', () => {
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
  ])('%s: asked for in another way, from then on', async (message, refused, form) => {
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

  test('a model without structured output is held to a tool from the first request on', async () => {
    const provider = await anthropic.provider(object, { models: [{ id: model, structuredOutput: false }] });
    await provider.inspect(signal);
    expect(JSON.parse((await provider.call(answerRequest(), { signal })).text)).toEqual(object);
    expect(anthropic.bodies()).toHaveLength(1);
  });

  test('thinking, effort and marks go one by one, and the schema stays', async () => {
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

  test('one that is wrong in any case fails, and teaches nothing', async () => {
    let isWrong = true;
    const provider = await anthropic.provider(object, { refuses: () => (isWrong ? 'no' : null) });
    const error = await anthropic.errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'request-refused', transient: false });
    isWrong = false;
    await provider.call(answerRequest(), { signal });
    expect(anthropic.bodies().at(-1)).toHaveProperty('output_config.format');
  });

  test('without a schema there is nothing to do without', async () => {
    const provider = await anthropic.provider(object, { refuses: () => 'no' });
    await anthropic.errorOf(provider.call(answerRequest({ schema: null }), { signal }));
    expect(anthropic.bodies()).toHaveLength(1);
  });
});

describe('a reply', () => {
  test('has text, tokens and an end, and progress on the way', async () => {
    const provider = await anthropic.provider('ten letters', { pieceLength: 4 });
    const counts: number[] = [];
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply).toEqual({
      text: 'ten letters',
      toolCalls: [],
      tokens: { input: expect.any(Number), output: expect.any(Number) },
      finish: 'stop',
    });
    expect([...new Set(counts)]).toEqual([0, 4, 8, 11]);
  });

  test('counts what was read from and written to the cache as input', async () => {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000 };
    const { tokens } = await anthropic.call(said([{ type: 'text', text: 'x' }], { usage }));
    expect(tokens?.input).toBe(3210);
  });

  test('keeps thinking out of the text, and in the progress', async () => {
    const provider = await anthropic.provider(faults.thinking('hmm, well', '{"answer":"x"}'));
    const counts: number[] = [];
    const reply = await provider.call(answerRequest(), { signal, onProgress: (count) => counts.push(count) });
    expect(reply.text).toBe('{"answer":"x"}');
    expect(counts.at(-1)).toBe('hmm, well{"answer":"x"}'.length);
  });

  test('calls tools: with arguments, without, and cut short', async () => {
    const use = (id: string, json: string) => ({ type: 'tool_use', id, name: 'search_context', json }) as const;
    const blocks = [
      { type: 'text', text: 'Let me look.' } as const,
      use('t1', '{"query":"ü"}'),
      use('t2', ''),
      use('', '{"que'),
    ];
    const reply = await anthropic.call(said(blocks), { tools: [search], schema: null }, { pieceLength: 3 });
    expect(reply).toMatchObject({ text: 'Let me look.', finish: 'stop' });
    expect(reply.toolCalls).toEqual([
      { id: 't1', name: 'search_context', arguments: { query: 'ü' } },
      { id: 't2', name: 'search_context', arguments: {} },
      { id: 'call_3', name: 'search_context', arguments: '{"que' },
    ]);
  });

  test.each([1, 2, 3, 5])('keeps characters whole that are split into writes of %i bytes', async (bytesPerWrite) => {
    const text = 'ü – 漢字 🙂 "quoted"\n\u001b[31m';
    expect((await anthropic.call(text, {}, { bytesPerWrite })).text).toBe(text);
  });

  test('may be empty', async () => {
    expect(await anthropic.call('')).toMatchObject({ text: '', finish: 'stop' });
  });

  test('that was stopped by its limit says so', async () => {
    expect(await anthropic.call(faults.lengthLimit('half'))).toMatchObject({ text: 'half', finish: 'length' });
  });

  test('comes whole when it is huge, slow, or never ended after its last event', async () => {
    const text = 'x'.repeat(5_000_000);
    expect((await anthropic.call(text, {}, { pieceLength: 100_000 })).text).toHaveLength(5_000_000);
    expect((await anthropic.call(faults.drip('slow but complete', 2))).text).toBe('slow but complete');
    expect((await anthropic.call(faults.endlessAfterDone('whole'))).text).toBe('whole');
    await vi.waitFor(() => expect(anthropic.server.openSockets()).toBe(0), 5000);
  });

  test('leaves its connection for the next', async () => {
    const provider = await anthropic.provider('x');
    await provider.inspect(signal);
    for (let count = 0; count < 5; count++) await provider.call(answerRequest(), { signal });
    // A call may begin before the last one's response has ended on the wire.
    expect(anthropic.server.openSockets()).toBeLessThanOrEqual(2);
  });

  test('of a model that is deprecated prints nothing', async () => {
    const name = 'claude-sonnet-4-5';
    const provider = await anthropic.provider('x', { models: [{ id: name, lifecycle: 'deprecated' }] }, name);
    expect((await provider.call(answerRequest(), { signal })).text).toBe('x');
  });
});
