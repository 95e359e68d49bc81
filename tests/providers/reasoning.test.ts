/** Tests the level of thinking in the words of each server, and replies of nothing but thinking. */
import { describe, expect, test } from 'vitest';
import { chatBody, type Optional, refusedBy } from '../../src/providers/openai/request.ts';
import { readOpenAiTarget } from '../../src/providers/openai/target.ts';
import type { Reasoning } from '../../src/providers/provider.ts';
import { OnlyThought } from '../../src/providers/thinking.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import { said } from '../servers/anthropic-wire.ts';
import { faults } from '../servers/ollama-server.ts';
import { errorOf } from '../support/error-of.ts';
import { model as claude, useAnthropic } from './anthropic/fixture.ts';
import { model, useOllama } from './ollama/fixture.ts';
import { useOpenAi } from './openai/fixture.ts';
import { signal } from './server-fixture.ts';

const levels: readonly (Reasoning | null)[] = [null, 'none', 'low', 'medium', 'high'];
const inProse = { schema: null } as const;

describe('ollama', () => {
  const ollama = useOllama();

  async function thinks(served: object) {
    const models = [{ name: model, capabilities: ['completion', 'thinking'], ...served }];
    const provider = await ollama.provider('x', { models });
    await provider.inspect(signal);
    for (const reasoning of levels) await provider.call(answerRequest({ ...inProse, reasoning }), { signal });
    return ollama.server.requests.map(({ body }) => body['think']);
  }

  test.each([
    ['a model that is switched', {}, [undefined, false, true, true, true]],
    ['gpt-oss', { family: 'gptoss' }, [undefined, 'low', 'low', 'medium', 'high']],
    ['levels that are reported', { thinks: ['low', 'high'] }, [undefined, 'low', 'low', undefined, 'high']],
    ['a switch that is reported', { thinks: [true, false] }, [undefined, false, true, true, true]],
    ['levels and a switch', { thinks: [false, 'high'] }, [undefined, false, undefined, undefined, 'high']],
    ['a model that does not think', { capabilities: ['completion'] }, levels.map(() => undefined)],
  ])('%s', async (_, served, expected) => {
    expect(await thinks(served)).toEqual(expected);
  });

  test('a reply in a format may be thought about if the user asks for it', async () => {
    const models = [{ name: model, capabilities: ['completion', 'thinking'] }];
    const provider = await ollama.provider({ answer: 'x' }, { models });
    await provider.inspect(signal);
    for (const reasoning of [null, 'high'] as const) await provider.call(answerRequest({ reasoning }), { signal });
    expect(ollama.server.requests.map(({ body }) => body['think'])).toEqual([false, true]);
  });
});

describe('servers that speak the API of OpenAI', () => {
  const openai = useOpenAi();
  const sent = () =>
    openai.bodies().map(({ reasoning_effort: effort, chat_template_kwargs: kwargs }) => ({ effort, kwargs }));

  test('on the user’s machine get the level in both forms: as effort, and in the names of templates', async () => {
    const provider = await openai.provider('x');
    for (const reasoning of levels) await provider.call(answerRequest({ reasoning }), { signal });
    const off = { enable_thinking: false, thinking: false };
    const on = { enable_thinking: true, thinking: true };
    expect(sent()).toEqual([
      { effort: undefined, kwargs: undefined },
      { effort: 'none', kwargs: off },
      { effort: 'low', kwargs: on },
      { effort: 'medium', kwargs: on },
      { effort: 'high', kwargs: on },
    ]);
  });

  test('that accept neither are asked without, and not again with', async () => {
    const provider = await openai.provider('x', { refuses: ['reasoning_effort', 'chat_template_kwargs'] });
    for (let count = 0; count < 2; count++) {
      expect((await provider.call(answerRequest({ reasoning: 'high' }), { signal })).text).toBe('x');
    }
    expect(sent().slice(-2)).toEqual(Array(2).fill({ effort: undefined, kwargs: undefined }));
    expect(openai.bodies()).toHaveLength(4);
  });

  test('OpenAI’s own models think as little as possible if they cannot do without', () => {
    const names = { baseUrl: '', variable: '', example: '', modelFlag: '', shorten: '' };
    const target = readOpenAiTarget({ baseUrl: 'https://api.openai.com/v1', apiKey: 'k' }, 'gpt-5-mini', names);
    const refused = new Set<Optional>();
    const tried: unknown[] = [];
    for (;;) {
      const body = chatBody(answerRequest({ reasoning: 'none' }), target, refused);
      expect(body).not.toHaveProperty('chat_template_kwargs');
      tried.push(body['reasoning_effort']);
      if (!('reasoning_effort' in body)) break;
      const words = `Unsupported value: 'reasoning_effort' does not support '${body['reasoning_effort']}'`;
      for (const name of refusedBy(words, body, refused)) refused.add(name);
    }
    expect(tried).toEqual(['none', 'minimal', 'low', undefined]);
  });
});

describe('anthropic', () => {
  const anthropic = useAnthropic();

  async function asked(
    thinking: readonly ('adaptive' | 'between_tools' | 'disabled' | 'enabled')[],
    more: object = {},
  ) {
    const provider = await anthropic.provider('x', { models: [{ id: claude, thinking }] });
    await provider.inspect(signal);
    for (const reasoning of levels) {
      await provider.call(answerRequest({ ...inProse, reasoning, maxOutputTokens: 20_000, ...more }), { signal });
    }
    return anthropic.bodies().map(({ thinking: type, output_config: config }) => [type, config]);
  }

  test('a model that decides by itself gets the effort', async () => {
    const adaptive = { type: 'adaptive' };
    expect(await asked(['adaptive', 'disabled'])).toEqual([
      [{ type: 'disabled' }, undefined],
      [{ type: 'disabled' }, undefined],
      [adaptive, { effort: 'low' }],
      [adaptive, { effort: 'medium' }],
      [adaptive, { effort: 'high' }],
    ]);
  });

  test('an older one gets a budget, below the limit of its reply', async () => {
    const budget = (tokens: number) => [{ type: 'enabled', budget_tokens: tokens }, undefined];
    expect((await asked(['enabled', 'disabled'])).slice(2)).toEqual([budget(1_024), budget(4_096), budget(16_384)]);
  });

  test('gets none if the reply has no room for the smallest', async () => {
    const bodies = await asked(['enabled', 'disabled'], { maxOutputTokens: 900 });
    expect(bodies.map(([type]) => type)).toEqual(levels.map(() => ({ type: 'disabled' })));
  });

  test('a server that refuses the level is asked in another way, then without', async () => {
    const refuses = (body: object) => (JSON.stringify(body).includes('"thinking"') ? 'thinking: no' : null);
    const provider = await anthropic.provider('x', { refuses });
    for (let count = 0; count < 2; count++) {
      await provider.call(answerRequest({ ...inProse, reasoning: 'high', maxOutputTokens: 20_000 }), { signal });
    }
    const types = anthropic.bodies().map(({ thinking }) => (thinking as { type?: string } | undefined)?.type);
    expect(types).toEqual(['adaptive', 'enabled', undefined, undefined]);
  });
});

describe('a reply of nothing but thinking', () => {
  const ollama = useOllama();
  const openai = useOpenAi();
  const anthropic = useAnthropic();
  const delta = (content: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: content, finish_reason: finish }] })}\n\n`;
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 70 } })}\n\n`;
  const raw = (field: string, finish: string) =>
    `${delta({ [field]: 'Hm. ' })}${delta({}, finish)}${usage}data: [DONE]\n\n`;

  test.each([
    ['ollama', () => ollama.call(faults.parts([{ message: { thinking: 'Hm.' } }]), inProse)],
    ['LM Studio', () => openai.call({ raw: raw('reasoning_content', 'stop') }, inProse)],
    ['vLLM', () => openai.call({ raw: raw('reasoning', 'length') }, inProse)],
    ['anthropic', () => anthropic.call(said([{ type: 'thinking', thinking: 'Hm.' }]), inProse)],
  ])('of %s is an error with its tokens', async (_, call) => {
    const error = await errorOf(call());
    expect(error).toMatchObject({ code: 'reply-unusable', transient: false });
    expect(error.hint).toContain('--reasoning');
    expect(error.cause).toBeInstanceOf(OnlyThought);
    expect((error.cause as OnlyThought).tokens!.input).toBeGreaterThan(0);
  });

  const streamed = `${delta({ reasoning_content: 'Hm.' })}${delta({ content: 'Yes.' })}${delta({}, 'stop')}${usage}data: [DONE]\n\n`;
  const blocks = [
    { type: 'thinking' as const, thinking: 'Hm.' },
    { type: 'text' as const, text: 'Yes.' },
  ];
  test.each([
    ['ollama', () => ollama.provider(faults.thinking('Hm.', 'Yes.'))],
    ['openai', () => openai.provider({ raw: streamed })],
    ['anthropic', () => anthropic.provider(said(blocks))],
  ])('of %s is emitted as it arrives, and the text after it is not', async (_, create) => {
    const told: unknown[] = [];
    const onProgress = (_: number, text?: string, isThinking?: boolean) => told.push([text, isThinking]);
    const provider = await create();
    await provider.call(answerRequest(inProse), { signal, onProgress });
    expect(told).toContainEqual(['', true]);
    expect(told.at(-1)).toEqual(['Yes.', false]);
  });
});
