import { withDeadline } from '../../base/abort.ts';
import { lateError } from '../../errors.ts';
import { createHttpFetch, type HttpResponse } from '../../providers/wire/http.ts';
import { type FullResponse, readFully } from '../../providers/wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../../providers/wire/json.ts';
import {
  explain,
  fromConnection,
  fromStatus,
  notTheServer,
  type ServerTarget,
  type ServerWords,
} from '../../providers/wire/server-errors.ts';

export interface SearchTarget extends ServerTarget {
  /** The collection or index for messages, such as `collection "docs"`. */
  readonly collection: string;
}

const checkAddress = 'Check that the server runs and that its address is right: rlm config get retrieval.server';

/** Returns the words of messages about a kind of server. @param access the hint on how to set credentials. */
export const searchWords = (kind: string, access: string): ServerWords => ({
  kind,
  address: checkAddress,
  failed: 'The log of the server may say more.',
  shorten: 'Ask in fewer words.',
  access,
  missing: checkAddress,
  refused:
    'The server may be too old for this request, or its fields have other names: see the options of retrieval.server.',
  tooLong: /^\b$/, // Matches nothing.
  notTooLong: [],
  codes: {
    unreachable: 'search-unreachable',
    failed: 'search-failed',
    broken: 'search-unreachable',
    missing: 'collection-missing',
  },
});

/** Returns why a request failed: for Elasticsearch and OpenSearch, the first root cause. */
function whyOf({ status, text }: FullResponse, { collection }: SearchTarget): string {
  const { reason, root_cause: causes } = asObject(parseObject(text)?.['error']);
  const found = [asObject(asList(causes)[0])['reason'], reason].find((value) => typeof value === 'string');
  const why = String(found ?? explain(text));
  return status === 404 ? `there is no ${collection}: ${why}` : why;
}

export type SearchClient = ReturnType<typeof createSearchClient>;

interface SearchClientOptions {
  readonly target: SearchTarget;
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit of one request, in ms. */
  readonly timeoutMs: number;
}

async function readReply(response: HttpResponse, target: SearchTarget): Promise<Json> {
  const whole = await readFully(response, target.redact);
  const { text } = whole;
  if (!response.ok) throw fromStatus(whole, target, whyOf(whole, target));
  const reply = parseObject(text.startsWith('{') ? text : `{"value":${text}}`);
  if (reply === null) throw notTheServer(target, 'its reply is not JSON');
  return reply;
}

/** Creates a client with its own connections. */
export function createSearchClient({ target, headers, timeoutMs }: SearchClientOptions) {
  const fetch = createHttpFetch();
  const { words, display, url } = target;
  const check = 'Check that the server runs: rlm doctor';
  const late = () => lateError(`${words.kind} at ${display}`, timeoutMs, check, 'call-timeout');
  return {
    /**
     * Sends a POST, or a GET if the body is null. Returns a reply that is not an object as `{ value }`. Throws
     * RlmError or the signal's reason.
     */
    async send(path: string, body: object | null, signal: AbortSignal): Promise<Json> {
      const type = { 'content-type': 'application/json' };
      const posted = { method: 'POST', headers: { ...headers, ...type }, body: JSON.stringify(body) };
      const init = body === null ? { method: 'GET', headers } : posted;
      const ask = async (deadline: AbortSignal) =>
        readReply(await fetch(url + path, { ...init, signal: deadline }), target);
      try {
        return await withDeadline(timeoutMs, late, signal, ask);
      } catch (error) {
        signal.throwIfAborted();
        throw fromConnection(error, target);
      }
    },
  };
}
