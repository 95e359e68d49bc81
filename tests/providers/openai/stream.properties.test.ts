import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { createChat } from '../../../src/providers/openai/provider.ts';
import { readOpenAiTarget } from '../../../src/providers/openai/target.ts';
import type { HttpFetch } from '../../../src/providers/wire/http.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';

const names = { baseUrl: '', variable: '', example: '', modelFlag: '', shorten: '' };
const target = readOpenAiTarget({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: null }, 'm', names);
const { signal } = new AbortController();

/** Starts a server that answers every request with these bytes, in these pieces. */
function serving(bytes: Uint8Array, cuts: readonly number[], type: string): HttpFetch {
  async function* chunks() {
    const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
      (a, b) => a - b,
    );
    for (const [index, place] of places.slice(1).entries()) yield bytes.subarray(places[index], place);
  }
  const text = async () => Buffer.from(bytes).toString('utf8');
  const headers = { get: (name: string) => (name === 'content-type' ? type : null) };
  const response = { ok: true, status: 200, statusText: 'OK', headers, chunks, text, json: async () => null };
  return async () => response as unknown as Awaited<ReturnType<HttpFetch>>;
}

const call = (bytes: Uint8Array, cuts: readonly number[] = [], type = 'text/event-stream') =>
  createChat()(answerRequest(), { ...target, http: serving(bytes, cuts, type) }, null, { signal });

const event = (value: object | string) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
const part = (content: string, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });

const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 8 });
const cuts = fc.array(fc.nat(5000), { maxLength: 12 });
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

const streamOf = (texts: readonly string[], lineEnd: string) =>
  [...texts.map((text) => part(text)), part('', 'stop'), event('[DONE]')].map((one) => one + lineEnd + lineEnd);

test('a reply is the same for all line ends, and wherever its bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, cuts, lineEnds, async (texts, places, lineEnd) => {
      const bytes = Buffer.from(streamOf(texts, lineEnd).join(''));
      expect((await call(bytes, places)).text).toBe(texts.join('').toWellFormed());
    }),
    { numRuns: 200 },
  );
});

test('a stream that is cut anywhere before its end is never a reply', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, cuts, lineEnds, fc.nat(), async (texts, places, lineEnd, at) => {
      const events = streamOf(texts, lineEnd);
      // The reply is complete even without the data after the object with the finish reason.
      const needed = Buffer.byteLength(events.slice(0, -1).join('').trimEnd());
      const bytes = Buffer.from(events.join('')).subarray(0, at % needed);
      await expect(call(bytes, places)).rejects.toMatchObject({ code: 'provider-failed', transient: true });
    }),
    { numRuns: 200 },
  );
});

test('any other stream is a reply or an error with a code', async () => {
  const rubbish = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`data: ${text}\n\ndata: [DONE]\n\n`)),
    fc.json().map((text) => Buffer.from(`data: {"choices":[{"delta":${text},"finish_reason":"stop"}]}\n\n`)),
    fc
      .json()
      .map((text) =>
        Buffer.from(`data: {"choices":[{"delta":{"tool_calls":${text}}}],"usage":${text}}\n\ndata: [DONE]\n\n`),
      ),
    fc.json().map((text) => Buffer.from(`data: {"error":${text}}\n\n`)),
    fc.json().map((text) => Buffer.from(`{"choices":${text}}`)),
  );
  const types = fc.constantFrom('text/event-stream', 'application/json', 'text/html', '');
  await fc.assert(
    fc.asyncProperty(rubbish, cuts, types, async (bytes, places, type) => {
      const outcome = await call(bytes, places, type).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(RlmError);
        expect((outcome as RlmError).code).not.toBe('internal');
      } else {
        expect(outcome).toMatchObject({ text: expect.any(String), finish: expect.stringMatching(/^(stop|length)$/) });
      }
    }),
    { numRuns: 300 },
  );
});
