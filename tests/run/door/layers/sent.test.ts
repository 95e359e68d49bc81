import { expect, it } from 'vitest';
import type { CallOptions } from '../../../../src/index.ts';
import { sent } from '../../../../src/run/door/layers/sent.ts';
import { callTo, modelNamed, settingsWith } from '../../../support/door.ts';

const text = 'It ran out.';
const budget = { timeLeftMs: () => 60_000 } as never;
const settings = settingsWith({ budget: { callTimeout: 60 } });

function send(call: (options: CallOptions) => Promise<unknown>) {
  const events: { type: string }[] = [];
  const provider = { name: 'fake', call: (_: unknown, options: CallOptions) => call(options) };
  const overlap = { begin: () => ({ sign: () => {}, end: () => void events.push({ type: 'ended' }) }) };
  const model = modelNamed('a', { provider, overlap, hearing: { lastSign: 0 }, pace: { writtenIn: () => 1_000 } });
  const request = sent({ settings, budget, redactor: {} as never, emit: (event) => void events.push(event) });
  const coming = { characters: 0, text: '', checkedLength: 0, thinksSince: null, firstAt: null };
  return { reply: request(callTo(model, 'h'), 1, coming), coming, events };
}

it('a request reports the progress of its reply', async () => {
  const { reply, coming, events } = send(async ({ onProgress }) => {
    onProgress?.(text.length, text);
    return { text, toolCalls: [], finish: 'stop', tokens: null };
  });
  expect(await reply).toMatchObject({ text });
  expect(coming).toMatchObject({ characters: text.length, text, firstAt: expect.any(Number) });
  expect(events.map(({ type }) => type)).toEqual(['call.progress', 'ended']);
});

it.each(['answer', 'thinking'])('a server that ignores the limit of a reply is ended: %s', async (what) => {
  let arrived = 0;
  const { reply } = send(
    ({ onProgress, signal }) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
        const words = Array.from({ length: 5_000 }, (_, at) => `word ${at} `);
        for (const at of words.keys()) {
          if (signal!.aborted) break;
          const text = words.slice(0, at).join('');
          arrived = text.length;
          onProgress?.(text.length, what === 'answer' ? text : '', what === 'thinking');
        }
      }),
  );
  await expect(reply).rejects.toMatchObject({ code: 'reply-unusable' });
  expect(arrived).toBeLessThan(20_000);
});

it('a reply that repeats itself without end is ended', async () => {
  const { reply, events } = send(
    ({ onProgress, signal }) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
        const words = 'the pool ran out and '.repeat(200);
        onProgress?.(words.length, words);
      }),
  );
  await expect(reply).rejects.toThrow('repeated the same words');
  expect(events.at(-1)).toEqual({ type: 'ended' });
});
