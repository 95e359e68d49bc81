import { describe, expect, test } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { createScriptedProvider, type Script } from '../../../src/providers/scripted/provider.ts';
import { answerRequest, sampleInputs, sampleRequest } from '../../contracts/sample-requests.ts';

const { signal } = new AbortController();

async function texts(script: Script, count: number): Promise<string[]> {
  const provider = createScriptedProvider(script);
  const replies: string[] = [];
  for (let call = 0; call < count; call++) replies.push((await provider.call(answerRequest(), { signal })).text);
  return replies;
}

const failure = (script: Script, calls = 1) => texts(script, calls).catch((error: unknown) => error);

describe('scripted provider', () => {
  test('replies from a list, objects as JSON', async () => {
    expect(await texts(['one', { answer: 'two' }], 2)).toEqual(['one', '{"answer":"two"}']);
  });

  test('throws when the list is used up', async () => {
    expect(await failure(['one'], 2)).toMatchObject({
      code: 'provider-failed',
      message: 'the script has run out of replies: it holds 1',
    });
  });

  test('replies from a function that gets the request and the number of the call', async () => {
    expect(await texts(({ input }, index) => `${input.prompt} ${index}`, 2)).toEqual(['answer 0', 'answer 1']);
    expect(await texts(async () => ({ answer: 'later' }), 1)).toEqual(['{"answer":"later"}']);
  });

  test('replies by prompt, each with its own count', async () => {
    const provider = createScriptedProvider({ answer: ['first', 'second'], assess: { verdict: 'SIMPLE' } });
    const [assess, answer] = ['assess', 'answer'].map((name) => sampleInputs.find(({ prompt }) => prompt === name)!);
    const replies = await Promise.all(
      [assess!, answer!, assess!, answer!].map((input) => provider.call(sampleRequest(input), { signal })),
    );
    expect(replies.map(({ text }) => text)).toEqual([
      '{"verdict":"SIMPLE"}',
      'first',
      '{"verdict":"SIMPLE"}',
      'second',
    ]);
    expect(provider.requests).toHaveLength(4);
  });

  test('says which prompt has no reply, or none left', async () => {
    expect(await failure({ critic: 'x' })).toMatchObject({ code: 'provider-failed', message: /no reply.*"answer"/ });
    expect(await failure({ answer: [] })).toMatchObject({ code: 'provider-failed', message: /script for "answer"/ });
  });

  test('throws the errors of the script', async () => {
    const error = new RlmError('rate-limited', 'slow down', { retryAfterMs: 5 });
    expect(await failure([error])).toBe(error);
    expect(
      await failure(() => {
        throw error;
      }),
    ).toBe(error);
    expect(
      await failure(() => {
        throw new TypeError('oops');
      }),
    ).toMatchObject({ code: 'provider-failed', message: 'the script failed: oops' });
  });

  test('waits for its latency, which an abort ends', async () => {
    const provider = createScriptedProvider(['x'], { latencyMs: 60_000 });
    const controller = new AbortController();
    const work = provider.call(answerRequest(), { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await work).toBe('enough');
  });

  test('calls tools', async () => {
    const provider = createScriptedProvider([
      { text: 'look', toolCalls: [{ name: 'grep', arguments: { pattern: 'x' } }] },
    ]);
    expect(await provider.call(answerRequest(), { signal })).toMatchObject({
      text: 'look',
      toolCalls: [{ id: 'call-1-1', name: 'grep', arguments: { pattern: 'x' } }],
    });
  });

  test('has the given facts', async () => {
    const options = { maxWindowTokens: 2048, structuredOutput: false, tools: true };
    expect(await createScriptedProvider([], options).inspect(signal)).toEqual({
      model: 'scripted',
      spends: 'tokens',
      digest: null,
      callsAtOnce: 8,
      answersWithoutText: true,
      notices: [],
      ...options,
    });
  });
});
