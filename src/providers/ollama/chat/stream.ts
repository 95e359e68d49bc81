/**
 * Filters what the `ollama` client reads. The client prints to stdout when a status is not 2xx, drops lines that are
 * not JSON with a warning, and never releases the connection of a finished stream; so it receives only responses that
 * lead to none of this.
 */

import type { RlmError } from '../../../errors.ts';
import { type HttpFetch, type HttpResponse, toWebStream } from '../../wire/http.ts';
import { errorIn } from '../../wire/http-errors.ts';
import { type Json, parseObject } from '../../wire/json.ts';
import { maxReplyBytes, replyTooLarge } from '../../wire/reply-parts.ts';
import { broken, fromMessage, fromStatus, notOllama, type OllamaTarget } from '../errors.ts';
import { credentials } from '../rest.ts';

interface Line {
  readonly line: string;
  /** Whether its line end came as well. */
  readonly whole: boolean;
}

/**
 * Yields the non-blank lines of a body. The size limit applies to the whole body, or to each line of an endless one.
 */
async function* readLines(response: HttpResponse, target: OllamaTarget, isEndless = false): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const chunk of response.chunks()) {
    bytes = chunk.length + (isEndless ? rest.length : bytes);
    if (bytes > maxReplyBytes) throw replyTooLarge(`Ollama at ${target.display}`);
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    for (const line of parts) if (line.trim() !== '') yield { line, whole: true };
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { line: rest, whole: false };
}

type Explain = (message: string, target: OllamaTarget) => RlmError;

/** Parses a line as an object. Throws `provider-failed` for other values, and the error of `explain` for an error. */
function checkLine(
  { line, whole }: Line,
  response: HttpResponse,
  target: OllamaTarget,
  explain: Explain = fromMessage,
): Json {
  const value = parseObject(line);
  if (value !== null && 'error' in value)
    throw explain(errorIn(target.redact(line)) ?? 'an error without a message', target);
  if (value !== null) return value;
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!type.includes('json')) throw notOllama(target, `it answered with ${type}`, 'provider-failed');
  throw broken(target, whole ? 'holds a line that is not JSON' : 'ended in the middle of a line');
}

/**
 * Yields the objects of a streamed body without a limit on its length. Throws as a call does; errors in the body are
 * created by `explain`.
 */
export async function* readObjects(
  response: HttpResponse,
  target: OllamaTarget,
  explain: Explain,
): AsyncGenerator<Json> {
  for await (const read of readLines(response, target, true)) yield checkLine(read, response, target, explain);
}

/** Yields the lines of the body, each a JSON object without an error, up to the one with `done`. */
async function* checkedLines(response: HttpResponse, target: OllamaTarget): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last: string | null = null;
  for await (const read of readLines(response, target)) {
    const { line } = read;
    const { done } = checkLine(read, response, target);
    if (done === true) {
      last = line;
      break;
    }
    yield encoder.encode(`${line}\n`);
  }
  // Only after the loop: the client reads nothing after this line, and leaving the loop is what frees the connection.
  if (last === null) throw broken(target, 'ended before it was done');
  yield encoder.encode(`${last}\n`);
}

/**
 * Creates a fetch for one call of the client: every failure is a thrown RlmError, and the signal ends the whole call
 * (the client's own signal is not available before the headers arrive).
 */
export function createGuardedFetch(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): typeof fetch {
  const guarded = async (url: string, init: { method: string; headers: Record<string, string>; body: string }) => {
    const { method, body } = init;
    // The client package takes the key from the process; the one to send is that of the target.
    const { Authorization: _, ...own } = init.headers;
    const response = await http(url, { method, headers: { ...own, ...credentials(target) }, body, signal });
    if (!response.ok) {
      const text = target.redact(await response.text());
      throw fromStatus({ status: response.status, headers: response.headers, text }, target);
    }
    const { ok, status, statusText } = response;
    const lines = toWebStream(checkedLines(response, target));
    return { ok, status, statusText, headers: response.headers, body: lines };
  };
  return guarded as unknown as typeof fetch;
}
