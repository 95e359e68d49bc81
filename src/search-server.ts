/** A server that is searched for passages; this file chooses among the kinds. Loaded only where one is configured. */
import { now } from './clock.ts';
import type { Configuration, Environment } from './config/layers.ts';
import { openChroma } from './retrievers/chroma.ts';
import { openElasticsearch } from './retrievers/elasticsearch.ts';
import type { Embed, Retriever } from './retrievers/retriever.ts';
import { kindNames, parseSearchAddress, type SearchAddress } from './retrievers/search-address.ts';
import { createSearchClient } from './retrievers/search-client.ts';
import { withRetries } from './run/retry.ts';

/** A server that has answered and is ready to be searched. */
export interface SearchServer {
  readonly retriever: Retriever;
  /** What it is, such as `collection "docs" of Chroma at chroma+http://127.0.0.1:8000/docs`. */
  readonly about: string;
  /** How many passages it has. */
  readonly passages: number;
}

export interface SearchServerOptions {
  readonly env: Environment;
  /** Null: no vectors are searched for. */
  readonly embed?: Embed | null;
}

/** The longest that one request may take, in ms: searching is quick, also where a model is slow. */
const longestRequestMs = 30_000;

const opening = { chroma: openChroma, elasticsearch: openElasticsearch, opensearch: openElasticsearch };

const credentialsHints: Readonly<Record<SearchAddress['kind'], string>> = {
  chroma: 'Set CHROMA_TOKEN, or name user and password: chroma+https://user:password@host/COLLECTION',
  elasticsearch: 'Set ELASTICSEARCH_API_KEY, or name user and password: elasticsearch+https://user:password@host/INDEX',
  opensearch: 'Name user and password: opensearch+https://user:password@host/INDEX',
};

/** The key from the environment; it wins over a login in the address. */
function authorization(kind: SearchAddress['kind'], env: Environment): Record<string, string> {
  const token = env['CHROMA_TOKEN']?.trim();
  const key = env['ELASTICSEARCH_API_KEY']?.trim();
  if (kind === 'chroma' && token) return { 'x-chroma-token': token, authorization: `Bearer ${token}` };
  if (kind !== 'elasticsearch' || !key) return {};
  // A key is shown as `id:key` or as that in base64, which is what is sent.
  return { authorization: `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}` };
}

/**
 * Asks the server that `retrieval.server` names whether it has what is to be searched, so that a mistake is found before
 * anything is spent.
 * @throws RlmError `config-invalid`, `search-unreachable`, `collection-missing`, `credentials-refused`, `search-failed`,
 *   `rate-limited`, `call-timeout`; the signal's reason.
 */
export async function openSearchServer(
  { settings, redactor }: Pick<Configuration, 'settings' | 'redactor'>,
  value: string,
  { env, embed = null }: SearchServerOptions,
  signal: AbortSignal,
): Promise<SearchServer> {
  const address = parseSearchAddress(value);
  const { kind, url, display } = address;
  const collection = `${kind === 'chroma' ? 'collection' : 'index'} "${address.collection}"`;
  const target = {
    kind: kindNames[kind],
    display,
    collection,
    credentialsHint: credentialsHints[kind],
    redact: redactor.text,
  };
  const timeoutMs = Math.min(longestRequestMs, settings.budget.callTimeout * 1000);
  const client = createSearchClient({ target, url, headers: authorization(kind, env), timeoutMs });
  const startedAt = now();
  const opened = await withRetries(() => opening[kind]({ address, target, client, embed }, signal), {
    signal,
    timeLeftMs: () => startedAt + timeoutMs - now(),
    mayRetry: () => true,
    onRetry: () => {},
  });
  return { ...opened, about: `${collection} of ${target.kind} at ${display}` };
}
