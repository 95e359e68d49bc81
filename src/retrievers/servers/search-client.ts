/** Requests to a search server. Every failure becomes an RlmError with a hint. */
import { withDeadline } from '../../base/abort.ts';
import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import { createHttpFetch, type HttpInit, type HttpResponse } from '../../providers/wire/http.ts';
import {
  clean as cleanText,
  connectionError,
  type FullResponse,
  retryAfterMs,
} from '../../providers/wire/http-errors.ts';
import { asObject, type Json, parseObject } from '../../providers/wire/json.ts';

/** The search server, for messages. */
export interface SearchTarget {
  /** Name of the kind: `Chroma`. */
  readonly kind: string;
  /** The address without user and password. */
  readonly display: string;
  /** The searched collection: `collection "docs"`. */
  readonly collection: string;
  /** Hint on how to set credentials. */
  readonly credentialsHint: string;
  /** Redacts the server's messages, before they are shortened. */
  readonly redact: (text: string) => string;
}

const addressHint = 'Check that the server runs and that its address is right: rlm config get retrieval.server';

/** Returns a server's message as one short line without control codes or secrets. */
const clean = (text: string, { redact }: SearchTarget): string => cleanText(redact(text));

function unreachable(target: SearchTarget, why: string, options: RlmErrorOptions = {}): RlmError {
  const message = `${target.kind} does not answer at ${target.display}: ${why}`;
  return new RlmError('search-unreachable', message, { hint: addressHint, ...options });
}

/** Creates the error for an address at which something else answers. */
export function notTheServer({ kind, display }: SearchTarget, what: string, cause?: unknown): RlmError {
  return new RlmError('search-failed', `what answers at ${display} is not ${kind}: ${what}`, {
    hint: addressHint,
    cause,
  });
}

function tooSlow({ kind, display }: SearchTarget, timeoutMs: number): RlmError {
  return new RlmError('call-timeout', `${kind} at ${display} did not answer within ${timeoutMs / 1000} s`, {
    hint: 'Check that the server runs; rlm doctor asks it.',
  });
}

/** Creates the error for a failed connection. */
function fromConnection(error: unknown, target: SearchTarget): RlmError {
  return connectionError(error, {
    redact: target.redact,
    unreachable: (why, options) => unreachable(target, why, options),
    broken: () => unreachable(target, 'the connection was closed', { transient: true, cause: error }),
    tooLong: (message) => notTheServer(target, message, error),
    notHttp: () => notTheServer(target, 'it does not speak HTTP', error),
  });
}

/**
 * Returns the message of an error reply: Chroma's `message`, or the `reason` of the `error` of Elasticsearch and
 * OpenSearch, preceded by the reason of its cause, since a failed search may only report that all shards failed.
 */
function saidIn(text: string, target: SearchTarget): string {
  const body = parseObject(text);
  if (body === null) return text.trimStart().startsWith('<') ? 'an HTML page' : clean(text, target) || 'no explanation';
  const { error, message } = body;
  const { type, reason, root_cause: causes } = asObject(error);
  const cause = Array.isArray(causes) ? asObject(causes[0])['reason'] : null;
  const said = [message, cause, reason, type, error].find((value) => typeof value === 'string') ?? text;
  return clean(String(said), target);
}

/** Creates the error for a status other than 2xx. */
function fromStatus({ status, headers, text }: FullResponse, target: SearchTarget): RlmError {
  const { kind, display, collection, credentialsHint } = target;
  const why = saidIn(text, target);
  const said = `${kind} at ${display} answered ${status}: ${why}`;
  const again = { transient: true, retryAfterMs: retryAfterMs(headers) };
  if (status === 401 || status === 403) {
    return new RlmError('credentials-refused', `${kind} at ${display} refuses access: ${why}`, {
      hint: credentialsHint,
    });
  }
  if (status === 404) {
    return new RlmError('collection-missing', `${kind} at ${display} has no ${collection}: ${why}`, {
      hint: addressHint,
    });
  }
  if (status === 429) return new RlmError('rate-limited', said, { hint: 'Wait, then run it again.', ...again });
  if (status === 408 || status === 409 || status >= 500) {
    return new RlmError('search-failed', said, { hint: 'The log of the server may say more.', ...again });
  }
  return new RlmError('request-refused', said, {
    hint: 'The server may be too old for this request, or its fields may be others: see the options of retrieval.server.',
  });
}

/** Sends one request to a search server and reads its reply, a JSON object. */
export interface SearchClient {
  /**
   * @param body null for a GET.
   * @throws RlmError; the signal's reason.
   */
  send(path: string, body: object | null, signal: AbortSignal): Promise<Json>;
}

interface SearchClientOptions {
  readonly target: SearchTarget;
  /** The base URL; it may hold a user and a password. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time for one request, in ms. */
  readonly timeoutMs: number;
}

async function readReply(response: HttpResponse, target: SearchTarget): Promise<Json> {
  const { ok, status, headers } = response;
  const text = await response.text();
  if (!ok) throw fromStatus({ status, headers, text }, target);
  const reply = parseObject(text.startsWith('{') ? text : `{"value":${text}}`);
  if (reply === null) throw notTheServer(target, 'its reply is not JSON');
  return reply;
}

/** Creates a client with its own connections. A reply that is no object is returned as `{ value }`. */
export function createSearchClient({ target, url, headers, timeoutMs }: SearchClientOptions): SearchClient {
  const fetch = createHttpFetch();
  const late = () => tooSlow(target, timeoutMs);
  const ask = async (path: string, init: HttpInit) => readReply(await fetch(url + path, init), target);
  return {
    send: async (path, body, signal) => {
      const content = body === null ? {} : { body: JSON.stringify(body) };
      const type = body === null ? {} : { 'content-type': 'application/json' };
      const init = { method: body === null ? 'GET' : 'POST', headers: { ...headers, ...type }, ...content };
      try {
        return await withDeadline(timeoutMs, late, signal, (either) => ask(path, { ...init, signal: either }));
      } catch (error) {
        signal.throwIfAborted();
        throw fromConnection(error, target);
      }
    },
  };
}
