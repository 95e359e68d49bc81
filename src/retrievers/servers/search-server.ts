import { openChroma } from './chroma.ts';
import { openElasticsearch } from './elasticsearch.ts';
import { kindNames, parseSearchAddress, type SearchAddress } from './search-address.ts';
import { createSearchClient, searchWords } from './search-client.ts';
import type { OpenedServer } from './server-passages.ts';

export interface SearchServer extends OpenedServer {
  /** A description for messages, such as `collection "docs" of Chroma at chroma+http://127.0.0.1:8000/docs`. */
  readonly about: string;
}

export interface SearchServerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time limit of one request, in ms. */
  readonly timeoutMs: number;
  readonly redact: (text: string) => string;
}

const opening = { chroma: openChroma, elasticsearch: openElasticsearch, opensearch: openElasticsearch };

const credentialsHints: Readonly<Record<SearchAddress['kind'], string>> = {
  chroma: 'Set CHROMA_TOKEN, or name user and password: chroma+https://user:password@host/COLLECTION',
  elasticsearch: 'Set ELASTICSEARCH_API_KEY, or name user and password: elasticsearch+https://user:password@host/INDEX',
  opensearch: 'Name user and password: opensearch+https://user:password@host/INDEX',
};

/** Returns headers with the credentials of the environment, which override a login in the address. */
function authorization(kind: SearchAddress['kind'], env: SearchServerOptions['env']): Record<string, string> {
  const token = env['CHROMA_TOKEN']?.trim();
  const key = env['ELASTICSEARCH_API_KEY']?.trim();
  if (kind === 'chroma' && token) return { 'x-chroma-token': token, authorization: `Bearer ${token}` };
  if (kind !== 'elasticsearch' || !key) return {};
  // The server expects base64; users may set `id:key`.
  return { authorization: `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}` };
}

/** Opens the server at an address, and checks that it has the collection. Throws RlmError or the signal's reason. */
export async function openSearchServer(
  value: string,
  { env, timeoutMs, redact }: SearchServerOptions,
  signal: AbortSignal,
): Promise<SearchServer> {
  const address = parseSearchAddress(value);
  const { kind, url, display } = address;
  const collection = `${kind === 'chroma' ? 'collection' : 'index'} "${address.collection}"`;
  const words = searchWords(kindNames[kind], credentialsHints[kind]);
  const target = { url, display, model: '', redact, words, collection };
  const client = createSearchClient({ target, headers: authorization(kind, env), timeoutMs });
  const opened = await opening[kind]({ address, target, client }, signal);
  return { ...opened, about: `${collection} of ${words.kind} at ${display}` };
}
