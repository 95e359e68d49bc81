import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import { BrokenReply } from '../../../../src/providers/broken-reply.ts';
import { OnlyThought } from '../../../../src/providers/thinking.ts';
import { settled } from '../../../../src/run/door/layers/settled.ts';
import { callTo, modelNamed, settingsWith } from '../../../support/door.ts';

const reply = { text: 'yes', toolCalls: [], finish: 'stop', tokens: { input: 10, output: 2 } } as const;

it('a request is settled by its usage; the received part of a broken reply is the reply if it can be used', async () => {
  const sums: { tokens: number }[] = [];
  const hold = { settle: (sum: { tokens: number }) => void sums.push(sum) } as never;
  const lost: unknown[] = [];
  const parts: unknown[] = [];
  const lose = (tokens: unknown, part: unknown) => {
    lost.push(tokens);
    parts.push(part);
  };
  const attempt = (number: number) => ({ number, held: hold, lose });
  const model = modelNamed('a', { pace: { took: () => {}, writtenIn: () => 1_000 } });
  const call = callTo(model, 'h', { input: { prompt: 'answer', variables: {} } as never });
  const budget = { timeLeftMs: () => 60_000 } as never;
  const layer = settled({ settings: settingsWith({ budget: { callTimeout: 1 } }), budget });
  expect(await layer(async () => reply)(call, attempt(1))).toMatchObject({
    text: 'yes',
    tokens: { input: 10, output: 2 },
  });
  const broken = layer(async (_, __, coming) => {
    Object.assign(coming, { characters: 40, text: 'It ran out. The pool was limited to 20.' });
    throw new RlmError('call-timeout', 'silent');
  });
  expect(await broken(call, attempt(2))).toMatchObject({
    text: expect.stringContaining('It ran out.'),
    cutShort: true,
  });
  const refused = layer(async () => Promise.reject(new RlmError('request-refused', 'no')));
  await expect(refused(call, attempt(3))).rejects.toThrow('no');
  expect(sums.map(({ tokens }) => tokens > 0)).toEqual([true, true, false]);
  expect(lost).toEqual([{ input: 0, output: 0 }]);
  // The server had the whole request, so it may have written the longest reply.
  const cut = layer(async () => {
    throw new RlmError('provider-failed', 'the connection was closed', { cause: new BrokenReply(null) });
  });
  await expect(cut(call, attempt(4))).rejects.toThrow('closed');
  expect((lost[1] as { output: number }).output).toBe(100);
  const half = layer(async (_, __, coming) => {
    Object.assign(coming, { characters: 40, text: 'It ran out. The pool was limited to 20.' });
    throw new RlmError('provider-failed', 'the connection was closed', { cause: new BrokenReply(null) });
  });
  await expect(half(call, attempt(5))).rejects.toThrow('closed');
  expect(parts).toEqual([null, null, expect.objectContaining({ text: expect.stringContaining('It ran out.') })]);
  // A server may go on writing after the program has ended the request.
  for (const code of ['call-timeout', 'interrupted', 'limit-time'] as const) {
    const ended = layer(async () => Promise.reject(new RlmError(code, 'ended')));
    await expect(ended(call, attempt(6))).rejects.toThrow('ended');
  }
  expect(lost.slice(1).map((tokens) => (tokens as { output: number }).output)).toEqual([100, 100, 100, 100, 100]);
});

describe('the counts of a server', () => {
  const settings = settingsWith({ budget: { callTimeout: 1 } });
  const messages = [{ role: 'user', content: 'Why did the pool run out at night? '.repeat(20) }] as const;
  const call = callTo(modelNamed('a', { pace: { took: () => {}, writtenIn: () => 256 } }), 'h', { messages });
  const coming = { characters: 300, text: '' };

  it.each([
    { input: 0, output: 0 },
    { input: -1_000_000, output: -1_000_000 },
    { input: 1e15, output: 1e15 },
  ])('are not believed for a reply that is only thinking: %j', async (tokens) => {
    const lost: { input: number; output: number }[] = [];
    const attempt = { number: 1, held: { settle: () => {} }, lose: (one: never) => void lost.push(one) };
    const layer = settled({ settings, budget: { timeLeftMs: () => 60_000 } as never });
    const thought = layer(async (_, __, before) => {
      Object.assign(before, coming);
      throw new RlmError('reply-unusable', 'only thought', { cause: new OnlyThought(tokens) });
    });
    await expect(thought(call, attempt)).rejects.toThrow('only thought');
    expect(lost).toEqual([{ input: expect.any(Number), output: 100 }]);
    expect(lost[0]!.input).toBeGreaterThan(100);
    expect(lost[0]!.input).toBeLessThan(1_000);
  });

  it('are believed up to the limit of the reply, also when little time is left', async () => {
    const sums: { tokens: number }[] = [];
    const attempt = { number: 1, held: { settle: (sum: never) => void sums.push(sum) }, lose: () => {} };
    const reply = { text: 'Yes.', toolCalls: [], finish: 'stop', tokens: { input: 250, output: 3_900 } } as const;
    const long = { ...(settings as object), reply: { maxTokens: 4_000 } } as never;
    const layer = settled({ settings: long, budget: { timeLeftMs: () => 1 } as never });
    await layer(async () => reply)(call, attempt);
    expect(sums).toMatchObject([{ tokens: 4_150 }]);
  });
});
