import { withDeadline } from '../../base/abort.ts';
import { createHttpFetch, type HttpInit, type HttpResponse } from '../../providers/wire/http.ts';
import { type Json, parseObject } from '../../providers/wire/json.ts';
import { fromConnection, fromStatus, notTheServer, type SearchTarget, tooSlow } from './search-errors.ts';

/** Sends one request to a search server and reads its reply, a JSON object. */
export interface SearchClient {
  /**
   * @param body null for a GET.
   * @throws RlmError; the signal's reason.
   */
  send(path: string, body: object | null, signal: AbortSignal): Promise<Json>;
}

export interface SearchClientOptions {
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

/** A client with connections of its own. A reply that is no object comes as `{ value }`. */
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
