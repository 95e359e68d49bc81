import { describe, expect, test } from 'vitest';
import { prompts } from '../../../src/prompts/index.ts';
import { chooseModel, findServing } from '../../../src/providers/openai/models.ts';
import { chatBody } from '../../../src/providers/openai/request.ts';
import { type OpenAiTarget, readOpenAiTarget } from '../../../src/providers/openai/target.ts';
import type { Message, ToolSpec } from '../../../src/providers/provider.ts';
import type { HttpFetch } from '../../../src/providers/wire/http.ts';
import { answerRequest, sampleInputs, sampleRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOpenAi } from './fixture.ts';

const openai = useOpenAi();

const names = { baseUrl: '', variable: '', example: '', modelFlag: '--model', shorten: '' };
const hosted = (name: string): OpenAiTarget =>
  readOpenAiTarget({ baseUrl: 'https://api.openai.com/v1', apiKey: 'k' }, name, names);

const search: ToolSpec = {
  name: 'search_context',
  about: 'Searches the text.',
  schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

describe('a request', () => {
  test('has the fields of the contract, and asks for usage', async () => {
    await openai.call('{}', { seed: 7, temperature: 0.25, maxOutputTokens: 99 });
    expect(openai.bodies()).toEqual([
      {
        model,
        messages: answerRequest().messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.25,
        seed: 7,
        max_tokens: 99,
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'answer',
            strict: true,
            schema: expect.objectContaining({ required: Object.keys(prompts.answer.fields) }),
          },
        },
      },
    ]);
  });

  test('has a strict schema for every prompt: every object excludes further properties', () => {
    const objects = (value: unknown): object[] =>
      typeof value !== 'object' || value === null
        ? []
        : [...('properties' in value ? [value] : []), ...Object.values(value).flatMap(objects)];
    for (const input of sampleInputs) {
      const { response_format: format } = chatBody(sampleRequest(input), hosted(model), new Set());
      expect(format).toMatchObject({ json_schema: { name: input.prompt, strict: true } });
      for (const each of objects(format)) expect(each).toMatchObject({ additionalProperties: false });
    }
  });

  test('is not strict if arguments may be left out', () => {
    const optional = { ...search, schema: { ...search.schema, required: [] } };
    const schema = { type: 'object', properties: { a: optional.schema }, required: ['a'] };
    const { response_format: format } = chatBody(answerRequest({ schema }), hosted(model), new Set());
    expect(format).toMatchObject({ json_schema: { strict: false, schema } });
  });

  test('has the names and fields that OpenAI requires for its own models', () => {
    const body = (name: string) => chatBody(answerRequest(), hosted(name), new Set());
    expect(body('gpt-4.1-mini')).toMatchObject({ max_completion_tokens: 512, temperature: 0.5 });
    expect(body('gpt-4.1-mini')).not.toHaveProperty('max_tokens');
    expect(body('o4-mini')).toMatchObject({ max_completion_tokens: 512, reasoning_effort: 'low' });
    expect(body('gpt-5-mini')).not.toHaveProperty('temperature');
  });

  test('carries tools, their calls and their results', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'search_context', arguments: { query: 'x' } }] },
      { role: 'tool', callId: 'a', name: 'search_context', content: 'found' },
    ];
    await openai.call('x', { messages, schema: null, tools: [search] });
    const [body] = openai.bodies();
    expect(body!['messages']).toEqual([
      messages[0],
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'search_context', arguments: '{"query":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
    ]);
    expect(body).toMatchObject({
      tool_choice: 'auto',
      tools: [
        { type: 'function', function: { name: search.name, description: search.about, parameters: search.schema } },
      ],
    });
    expect(body).not.toHaveProperty('response_format');
  });
});

describe('a parameter that a server refuses by name', () => {
  const everything = ['json_schema', 'json_object', 'temperature', 'seed', 'stream_options', 'tools', 'max_tokens'];

  test.each(everything.filter((name) => name !== 'json_object'))(
    '%s is left out of a further request, and of all later ones',
    async (name) => {
      const provider = await openai.provider('{}', { refuses: [name] });
      const changes = { seed: 1, ...(name === 'tools' ? { tools: [search], schema: null } : {}) };
      for (const _ of [1, 2]) expect((await provider.call(answerRequest(changes), { signal })).text).toBe('{}');
      expect(openai.bodies()).toHaveLength(3);
      const last = openai.bodies()[2]!;
      expect(last).not.toHaveProperty(name);
      if (name === 'json_schema') expect(last['response_format']).toEqual({ type: 'json_object' });
      if (name === 'max_tokens') expect(last).toMatchObject({ max_completion_tokens: 512 });
    },
  );

  test('is reported once, if the replies may show it', async () => {
    const provider = await openai.provider('{}', { refuses: ['json_schema', 'stream_options', 'temperature'] });
    const notices: string[] = [];
    const onNotice = (notice: string) => notices.push(notice);
    for (const _ of [1, 2]) await provider.call(answerRequest(), { signal, onNotice });
    expect(notices).toEqual([
      `${model} at ${openai.server.url} does not accept json_schema, temperature; requests omit them`,
    ]);
  });

  test('probabilities are requested where they are needed, and read', async () => {
    const content = [
      { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -1 }, { token: 'c' }] },
      { token: 'no number' },
    ];
    const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop', logprobs: { content } }];
    const raw = `data: ${JSON.stringify({ choices })}\n\n`;
    const reply = await openai.call({ raw }, { logprobs: true });
    expect(reply.logprobs).toEqual([{ token: 'a', logprob: -0.5, alternatives: [{ token: 'b', logprob: -1 }] }]);
    expect(openai.bodies()[0]).toMatchObject({ logprobs: true, top_logprobs: 20 });
    const without = await openai.call('{}', { logprobs: true }, { refuses: ['logprobs'] });
    expect(without).not.toHaveProperty('logprobs');
    expect(openai.bodies()[1]).not.toHaveProperty('top_logprobs');
  });

  test('needs as many steps as there are parameters if all are refused', async () => {
    const provider = await openai.provider('{}', { refuses: everything });
    const tried = await provider.call(answerRequest({ seed: 1 }), { signal });
    expect(tried.text).toBe('{}');
    expect(openai.bodies()).toHaveLength(7);
    expect(Object.keys(openai.bodies()[6]!).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'stream']);
    await provider.call(answerRequest({ seed: 1 }), { signal });
    expect(openai.bodies()).toHaveLength(8);
  });

  test.each([
    ["'response_format.type' must be 'json_schema' or 'text'", 'response_format'],
    ["[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted'}]", 'seed'],
    ["Unsupported value: 'temperature' does not support 0.5 with this model.", 'temperature'],
    ['Unrecognized request argument supplied: stream_options', 'stream_options'],
  ])('is recognised in the words %j', async (message, name) => {
    const answer = (call: { body: object }) => (name in call.body ? faults.status(400, { error: { message } }) : '{}');
    expect((await openai.call(answer, { seed: 1 })).text).toBe('{}');
    expect(openai.bodies().at(-1)).not.toHaveProperty(name);
  });

  test('is recognised in the form of FastAPI, and with the status 500', async () => {
    const detail = [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }];
    const fastApi = (call: { body: object }) => ('seed' in call.body ? faults.status(422, { detail }) : '{}');
    expect((await openai.call(fastApi, { seed: 1 })).text).toBe('{}');
    const error = { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' };
    const llama = (call: { body: object }) => ('tools' in call.body ? faults.status(500, { error }) : 'text');
    expect((await openai.call(llama, { tools: [search], schema: null })).text).toBe('text');
    expect(openai.bodies()[1]).not.toHaveProperty('tool_choice');
    expect(JSON.stringify(openai.bodies()[1])).toContain('write the calls down');
  });

  test('is not left out because a limit is too large', async () => {
    const message = 'max_tokens is too large: 512. This model supports at most 128 completion tokens.';
    expect(await errorOf(openai.call(faults.status(400, { error: { message } })))).toMatchObject({
      code: 'request-refused',
      message: expect.stringContaining('at most 128'),
    });
    expect(openai.bodies()).toHaveLength(1);
  });

  test('teaches nothing if the request also fails without it', async () => {
    const refusal = faults.status(400, { error: { message: 'bad temperature, or something' } });
    const provider = await openai.provider((_, index) => (index < 2 ? refusal : '{}'));
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'request-refused' });
    await provider.call(answerRequest(), { signal });
    expect(openai.bodies().map((body) => 'temperature' in body)).toEqual([true, false, true]);
  });
});

describe('OpenAI itself', () => {
  const none: HttpFetch = async () => {
    throw new Error('no request was expected');
  };
  const listed = (...ids: string[]) => ids.map((name) => ({ name, said: { id: name } }));

  test('without a name, a small model that replies at once is chosen', () => {
    const models = listed('whisper-1', 'gpt-4-turbo', 'gpt-4o-mini', 'gpt-5-mini', 'gpt-4.1-mini');
    expect(chooseModel(null, models, hosted('x'))).toMatchObject({ name: 'gpt-4.1-mini', isNamed: false });
    expect(chooseModel(null, listed('whisper-1', 'gpt-9'), hosted('x'))).toMatchObject({ name: 'gpt-9' });
  });

  test('an unlisted model is missing there, but a gateway may serve it', () => {
    const gateway = { ...hosted('x'), url: 'https://gateway.example.com/v1' };
    expect(chooseModel('mine', listed('a'), gateway)).toMatchObject({ name: 'mine', isNamed: true });
    expect(() => chooseModel('mine', listed('a'), hosted('x'))).toThrow(/has no model "mine"; it has a$/);
  });

  test.each([
    ['gpt-5.4-mini', 272_000],
    ['openai/gpt-4o', 128_000],
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-4o-2024-08-06', 128_000],
    ['gpt-4', 8192],
    ['o3', 200_000],
  ])('the window of %s is known', async (name, windowTokens) => {
    const serving = await findServing({ ...hosted(name), http: none }, { name, said: {} }, null, signal);
    expect(serving).toEqual({ windowTokens, isKnown: true, slots: null, vision: name !== 'gpt-4' });
  });

  test('another window is assumed', async () => {
    const serving = await findServing({ ...hosted('x'), http: none }, { name: 'nova-1', said: {} }, null, signal);
    expect(serving).toMatchObject({ windowTokens: 16_384, isKnown: false });
  });
});

describe('a prompt that was cut', () => {
  const prose = (bytes: number) => 'The pool was limited to 20 by release 4.2. '.repeat(bytes / 43 + 1).slice(0, bytes);
  const long = { messages: [{ role: 'user', content: prose(20_000) } as const], windowTokens: 16_384 };

  test('is noticed if the count fills the window that the server reported', async () => {
    const provider = await openai.provider('{}', { models: [{ id: model, context_length: 4096 }], promptTokens: 4095 });
    await provider.inspect(signal);
    const error = await errorOf(provider.call(answerRequest(long), { signal }));
    expect(error).toMatchObject({ code: 'prompt-too-long', hint: expect.stringContaining('openai.windowTokens') });
    expect(error.message).toContain('cut it to 4095 tokens without saying so');
  });

  test('is noticed if the count is far too small, even for an unknown window', async () => {
    const error = await errorOf(openai.call('{}', long, { promptTokens: 1500 }));
    expect(error).toMatchObject({ code: 'prompt-too-long' });
  });

  test.each([5000, 2600, null])('is not suspected at a count of %s', async (promptTokens) => {
    expect((await openai.call('{}', long, { promptTokens })).text).toBe('{}');
  });

  test('is not suspected if one character is repeated', async () => {
    const messages = [{ role: 'user', content: ' '.repeat(60_000) } as const];
    expect((await openai.call('{}', { messages }, { promptTokens: 900 })).text).toBe('{}');
  });
});
