/**
 * Filters what the `openai` client reads. Servers stream in ways that the client does not accept: it wants a blank line
 * after the last event, knows no error but `error`, takes a broken stream for a finished one, and reads on after
 * `[DONE]`. It receives only valid events.
 */
import { type HttpFetch, type HttpResponse, toWebStream } from '../wire/http.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { maxReplyBytes, replyTooLarge } from '../wire/reply-parts.ts';
import { brokenReply, fromOpenAiBody, fromOpenAiStatus, isErrorBody, otherThan } from './errors.ts';
import { type OpenAiTarget, openAiHeaders } from './target.ts';

const lineEnd = /\r\n|\n|\r/;

/** Yields the body's lines, with any line ends and without a byte order mark. */
async function* readLines(response: HttpResponse, target: OpenAiTarget): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  // A carriage return at the end of a chunk may be half of a line end.
  let held = '';
  let bytes = 0;
  for await (const chunk of response.chunks()) {
    bytes += chunk.length;
    if (bytes > maxReplyBytes) throw replyTooLarge(target.display);
    const text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    const parts = text.slice(0, text.length - held.length).split(lineEnd);
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    yield* parts;
  }
  yield* (rest + held + decoder.decode()).split(lineEnd);
}

/** Returns the value of a `data` line; null for other lines: comments, names and ids of events. */
const dataOf = (line: string): string | null => (/^data(:|$)/.test(line) ? line.slice(5).replace(/^ /, '') : null);

/** Yields the data of each server-sent event, or the whole body where it is not an event stream. */
async function* readEvents(response: HttpResponse, target: OpenAiTarget): AsyncGenerator<string> {
  let data: string[] = [];
  let whole: string[] | null = null;
  let isFirst = true;
  for await (const line of readLines(response, target)) {
    if (isFirst && line.trim() !== '') {
      isFirst = false;
      if (/^\s*[{[<]/.test(line)) whole = [];
    }
    const value = dataOf(line);
    if (whole !== null) whole.push(line);
    else if (value !== null) data.push(value);
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
  if (whole !== null) yield whole.join('\n');
  else if (data.length > 0) yield data.join('\n');
}

/** Returns the objects of an event: one, or one per line where the server omits the blank lines between. */
function objectsOf(data: string): (Json | null)[] {
  const value = parseObject(data);
  return value === null && data.includes('\n') ? data.split('\n').map(parseObject) : [value];
}

/** Converts a complete reply to the only part of a stream. */
function asPart(value: Json): Json {
  const choices = asList(value['choices']).map(asObject);
  if (!choices.some((choice) => 'message' in choice)) return value;
  return {
    ...value,
    choices: choices.map(({ message, ...choice }) => ({ finish_reason: 'stop', ...choice, delta: message })),
  };
}

/** Checks an event. Throws when it is an error or no part of a reply. */
function checkEvent(value: Json | null, data: string, response: HttpResponse, target: OpenAiTarget): Json {
  const type = response.headers.get('content-type') ?? '';
  if (value === null) {
    if (/^\s*</.test(data)) throw otherThan(target, `a reply: ${type || 'a page'}`);
    if (/^\s*\[/.test(data)) throw fromOpenAiBody(target.redact(data), target);
    throw brokenReply(target, 'holds something that is not JSON');
  }
  if (isErrorBody(value)) throw fromOpenAiBody(target.redact(data), target);
  return asPart(value);
}

const isFinished = (part: Json): boolean =>
  asList(part['choices']).some((choice) => typeof asObject(choice)['finish_reason'] === 'string');

const end = '[DONE]';

/** Splits off the end sign, which may be on a separate line below an object. */
function splitEnd(data: string): { data: string; isLast: boolean } {
  const isLast = data.startsWith(end) || data.endsWith(`\n${end}`);
  return { data: isLast ? data.slice(0, data.lastIndexOf(end)).trim() : data.trim(), isLast };
}

/** Yields the parts of a reply, each an object without an error, up to the end that the server has to signal. */
async function* checkedParts(response: HttpResponse, target: OpenAiTarget): AsyncGenerator<Json> {
  let isReply = false;
  let isWhole = false;
  for await (const event of readEvents(response, target)) {
    const { data, isLast } = splitEnd(event);
    for (const value of data === '' ? [] : objectsOf(data)) {
      const part = checkEvent(value, data, response, target);
      isReply ||= 'choices' in part;
      isWhole ||= isFinished(part);
      yield part;
    }
    if (isLast) return;
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!isReply && !type.includes('event-stream')) throw otherThan(target, `a reply: ${type}`);
  if (!isWhole) throw brokenReply(target, 'ended before it was done');
}

async function* asEvents(parts: AsyncIterable<Json>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(`data: ${JSON.stringify(part)}\n\n`);
  yield encoder.encode('data: [DONE]\n\n');
}

async function request(http: HttpFetch, url: string, body: string, target: OpenAiTarget, signal: AbortSignal) {
  const headers = openAiHeaders(target, 'text/event-stream, application/json');
  const response = await http(url, { method: 'POST', headers, body, signal });
  if (response.ok) return response;
  const text = target.redact(await response.text());
  throw fromOpenAiStatus({ status: response.status, headers: response.headers, text }, target);
}

/** A fetch for one call of the client. */
export interface GuardedFetch {
  readonly fetch: typeof fetch;
  /** The failure, which the client rewords or hides; null when there is none. */
  failure(): unknown;
}

/**
 * Creates a fetch for one call: the signal ends the whole call, and none of the client's headers are sent, which may
 * contain a key or describe this machine.
 */
export function createGuardedFetch(http: HttpFetch, target: OpenAiTarget, signal: AbortSignal): GuardedFetch {
  let failure: unknown = null;
  async function* noting(events: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* events;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const guarded = async (url: string, { body }: { body: string }) => {
    try {
      const response = await request(http, url, body, target, signal);
      const { ok, status, statusText } = response;
      const events = noting(asEvents(checkedParts(response, target)));
      return { ok, status, statusText, headers: new Headers(), body: toWebStream(events) };
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return { fetch: guarded as unknown as typeof fetch, failure: () => failure };
}
