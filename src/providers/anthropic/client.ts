/**
 * Requests to a server that speaks Anthropic's API, through the official client, which receives only responses that it
 * can read. By itself the client would retry, time out, log, print that a model is deprecated, read a base URL,
 * credentials and headers from the environment and from files, and follow redirects. Here it does none of that.
 */
import type Anthropic from '@anthropic-ai/sdk';
import { type HttpFetch, type HttpResponse, toWebStream } from '../wire/http.ts';
import { maxReplyBytes, replyTooLarge } from '../wire/reply-parts.ts';
import { type AnthropicTarget, broken, fromEvent, fromStatus, notAnthropic } from './errors.ts';

/** A connection to the server for one call. Rejects with an RlmError, or what the connection threw. */
export interface AnthropicRequests {
  /** Sends a GET and returns its JSON. */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** Posts a request for a streamed message and returns its events as they come, of any shape. */
  stream(body: object, signal: AbortSignal): AsyncIterable<unknown>;
}

let loading: Promise<typeof Anthropic> | null = null;

/** The client package, which is loaded once. */
export function loadAnthropicClient(): Promise<typeof Anthropic> {
  loading ??= import('@anthropic-ai/sdk').then((module) => module.default);
  return loading;
}

/** The longest time of a timer, in ms: the signal decides when a call ends, not the client. */
const noTimeoutMs = 2 ** 31 - 1;

/** The headers of the client that are sent; others describe this machine, or come from the environment. */
const sentHeaders = ['accept', 'content-type', 'user-agent', 'anthropic-version'];

function headersFrom(given: RequestInit['headers'], key: string | null): Record<string, string> {
  const all = new Headers(given);
  const kept = sentHeaders.flatMap((name): [string, string][] => {
    const value = all.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
}

async function* bounded(response: HttpResponse, target: AnthropicTarget): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of response.chunks()) {
    bytes += chunk.length;
    if (bytes > maxReplyBytes) throw replyTooLarge(target.display);
    yield chunk;
  }
}

/** A response that is no stream: an error, a page, or a message in one piece. */
async function unstreamed(response: HttpResponse, target: AnthropicTarget): Promise<Error> {
  const type = response.headers.get('content-type') ?? 'no content type';
  const text = target.redact(await response.text());
  if (/"error"\s*:/.test(text.slice(0, 1000))) return fromEvent(text, target);
  return notAnthropic(target, `it answered with ${type} instead of a stream of events`);
}

/** A fetch to hand to the client for one call; the signal ends the whole call. */
function createGuardedFetch(http: HttpFetch, target: AnthropicTarget, key: string | null, signal: AbortSignal) {
  return async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body, headers } = init;
    const sent = { method, headers: headersFrom(headers, key), signal };
    const response = await http(String(url), typeof body === 'string' ? { ...sent, body } : sent);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) {
      const text = target.redact(await response.text());
      throw fromStatus({ status: response.status, headers: response.headers, text }, target);
    }
    if (method === 'GET') return new Response(await response.text(), { headers: { 'content-type': type } });
    if (!type.includes('event-stream')) throw await unstreamed(response, target);
    return new Response(toWebStream(bounded(response, target)) as ReadableStream, {
      headers: { 'content-type': type },
    });
  };
}

/** Unwraps an error that the client wrapped, sometimes without naming it. */
function createWitness() {
  let seen: unknown = null;
  return {
    watch:
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        try {
          return await work(...args);
        } catch (error) {
          seen = error;
          throw error;
        }
      },
    /** The failure that was seen on the wire, if any. */
    testify: (error: unknown): unknown => seen ?? error,
  };
}

/** An error event, which the client throws with the event's data in `error`. */
const isErrorEvent = (error: unknown): error is Error & { error: unknown } =>
  error instanceof Error && 'error' in error && error.error !== undefined && !('code' in error);

function fromClient(error: unknown, target: AnthropicTarget): unknown {
  if (error instanceof SyntaxError) return broken(target, 'holds something that is not JSON', error);
  return isErrorEvent(error) ? fromEvent(error.error, target) : error;
}

/**
 * Creates the requests to one server.
 * @param key null where the server wants none.
 */
export function createAnthropicRequests(
  http: HttpFetch,
  target: AnthropicTarget,
  key: string | null,
): AnthropicRequests {
  async function open(signal: AbortSignal) {
    const Client = await loadAnthropicClient();
    const witness = createWitness();
    const client = new Client({
      // Without one the client would look for credentials in files; the real one is put in by its fetch.
      apiKey: 'none',
      baseURL: target.url,
      fetch: witness.watch(createGuardedFetch(http, target, key, signal)),
      maxRetries: 0,
      timeout: noTimeoutMs,
      logLevel: 'off',
      openTelemetry: false,
    });
    return { client, testify: (error: unknown) => fromClient(witness.testify(error), target) };
  }

  return {
    async get(path, signal) {
      const { client, testify } = await open(signal);
      try {
        return await client.get<unknown>(path);
      } catch (error) {
        throw testify(error);
      }
    },
    async *stream(body, signal) {
      const { client, testify } = await open(signal);
      try {
        // Not `messages.create`, which prints to stderr that a model is deprecated.
        const options = { body, stream: true, timeout: noTimeoutMs };
        yield* await client.post<AsyncIterable<unknown>>('/v1/messages', options);
      } catch (error) {
        throw testify(error);
      }
    },
  };
}
