import { nearest } from '../../base/nearest.ts';
import { RlmError } from '../../errors.ts';

const place = { source: 'source', startLine: 'startLine', endLine: 'endLine' } as const;

const index = { text: 'text', search: null, ...place, vector: null } as const;

/** The options in an address with their defaults; null if an option has no default. */
const options = {
  chroma: { tenant: 'default_tenant', database: 'default_database', ...place },
  elasticsearch: index,
  opensearch: index,
} as const;

type Kind = keyof typeof options;

export const kindNames: Readonly<Record<Kind, string>> = {
  chroma: 'Chroma',
  elasticsearch: 'Elasticsearch',
  opensearch: 'OpenSearch',
};

export interface SearchAddress {
  readonly kind: Kind;
  /** Has no slash at its end. May contain a user and a password, so no message shows it. */
  readonly url: string;
  /** The address for messages, without credentials and options. */
  readonly display: string;
  readonly collection: string;
  readonly options: ReadonlyMap<string, string | null>;
}

function invalid(why: string): RlmError {
  return new RlmError('config-invalid', `retrieval.server is not the address of a search server: ${why}`, {
    hint: 'Set it (or --server) to something like chroma+http://127.0.0.1:8000/COLLECTION or elasticsearch+https://host:9200/INDEX?text=body',
  });
}

function readOptions(kind: Kind, given: URLSearchParams): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>(Object.entries(options[kind]));
  for (const [name, value] of given) {
    const near = nearest(name, [...known.keys()]);
    const instead = near ? `did you mean "${near}"?` : `its options are ${[...known.keys()].join(', ')}`;
    if (!known.has(name)) throw invalid(`${kindNames[kind]} has no option "${name}"; ${instead}`);
    if (value !== '') known.set(name, value);
  }
  return known;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid(`"${segment}" is not encoded as in a URL`);
  }
}

/** Reads `KIND+http(s)://[user:password@]host[:port][/prefix]/COLLECTION[?option=value…]`. Throws `config-invalid`. */
export function parseSearchAddress(value: string): SearchAddress {
  const [, scheme = '', protocol = '', rest = ''] = /^([a-z]+)\+(https?):\/\/(.*)$/is.exec(value.trim()) ?? [];
  const kind = scheme.toLowerCase();
  if (!Object.hasOwn(options, kind)) {
    throw invalid(`it has to begin with ${Object.keys(options).join('+http://, ')}+http:// (or +https://)`);
  }
  const text = `${protocol.toLowerCase()}://${rest}`;
  if (!URL.canParse(text)) throw invalid('its host or its port cannot be read');
  const url = new URL(text);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const collection = decoded(segments.pop() ?? '');
  if (collection === '') throw invalid(`it names no ${kind === 'chroma' ? 'collection' : 'index'} after the host`);
  // Paths that begin with `_` are other endpoints of the server.
  if (kind !== 'chroma' && collection.startsWith('_')) throw invalid(`an index cannot be called "${collection}"`);
  const login = rest.includes('@') && url.username ? `${url.username}:${url.password}@` : '';
  const prefix = segments.map((segment) => `/${segment}`).join('');
  return {
    kind: kind as Kind,
    url: `${url.protocol}//${login}${url.host}${prefix}`,
    display: `${kind}+${url.protocol}//${url.host}${prefix}/${collection}`,
    collection,
    options: readOptions(kind as Kind, url.searchParams),
  };
}
