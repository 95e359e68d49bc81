/**
 * A simulated Elasticsearch or OpenSearch. It answers `_count`, `_mapping` and `_search` (`match`, `multi_match`, and
 * vector search in both forms) according to their documentation, with BM25 over the words of the standard analyzer.
 * `npm run test:opensearch` tests a real OpenSearch; no test uses a real Elasticsearch.
 */
import { type FaultAt, type JsonReply, type SearchHttp, type SearchRequest, startSearchHttp } from './search-http.ts';

export interface IndexedDocument {
  readonly _id: string;
  readonly _source: Readonly<Record<string, unknown>>;
  /** The index stores vectors in the field `embedding`. */
  readonly vector?: readonly number[];
}

export interface IndexOptions {
  readonly kind?: 'elasticsearch' | 'opensearch';
  readonly faultAt?: FaultAt;
  /** Number of shards that do not answer. */
  readonly failedShards?: number;
}

const analyse = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function failure(status: number, type: string, reason: string): JsonReply {
  const cause = { type, reason };
  return { status, json: { error: { root_cause: [cause], ...cause }, status } };
}

interface Hit extends IndexedDocument {
  readonly _score: number;
}

function textOf({ _source }: IndexedDocument, field: string): string {
  const value = field.split('.').reduce((inner: unknown, part) => (inner as Record<string, unknown>)?.[part], _source);
  return typeof value === 'string' ? value : '';
}

/** BM25 in the form of Lucene since 8.0. */
function scoreField(documents: readonly IndexedDocument[], field: string, query: string): number[] {
  const analysed = documents.map((document) => analyse(textOf(document, field)));
  const average = analysed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, analysed.length);
  return analysed.map((words) =>
    analyse(query).reduce((sum, term) => {
      const holders = analysed.filter((other) => other.includes(term)).length;
      const count = words.filter((word) => word === term).length;
      const idf = Math.log(1 + (analysed.length - holders + 0.5) / (holders + 0.5));
      return sum + (idf * count) / (count + 1.2 * (0.25 + (0.75 * words.length) / average));
    }, 0),
  );
}

const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

function nearest(documents: readonly IndexedDocument[], vector: readonly number[], k: number): Hit[] {
  return documents
    .filter((document) => document.vector !== undefined)
    .map((document) => ({ ...document, _score: (1 + cosine(document.vector!, vector)) / 2 }))
    .sort((a, b) => b._score - a._score)
    .slice(0, k);
}

function matching(documents: readonly IndexedDocument[], fields: readonly string[], query: string): Hit[] {
  const scores = fields.map((field) => {
    const [name = '', boost = '1'] = field.split('^');
    return scoreField(documents, name, query).map((score) => score * Number(boost));
  });
  return documents
    .map((document, index) => ({ ...document, _score: Math.max(...scores.map((ofField) => ofField[index]!)) }))
    .filter(({ _score }) => _score > 0)
    .sort((a, b) => b._score - a._score);
}

type Body = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function find(documents: readonly IndexedDocument[], body: Body, kind: IndexOptions['kind']): Hit[] | string {
  const { knn, query = {} } = body;
  const { match, multi_match: several, knn: inQuery } = query as Body;
  if (knn && kind === 'elasticsearch') {
    const {
      field,
      query_vector: vector,
      k,
      num_candidates: candidates,
    } = knn as Record<'field' | 'query_vector' | 'k' | 'num_candidates', never>;
    if (field !== 'embedding') return `[knn] field [${field}] does not exist in the mapping`;
    return k > candidates ? '[num_candidates] cannot be less than [k]' : nearest(documents, vector, k);
  }
  if (inQuery && kind === 'opensearch') {
    const { vector, k } = (inQuery as Record<string, Record<string, never>>)['embedding']!;
    return nearest(documents, vector!, k!);
  }
  if (knn || inQuery) return `unknown key [knn]`;
  if (several) return matching(documents, several['fields'] as string[], String(several['query']));
  const [[field, { query: words }]] = Object.entries(match as Record<string, { query: string }>) as [
    [string, { query: string }],
  ];
  return matching(documents, [field], words);
}

function search(documents: readonly IndexedDocument[], { body }: SearchRequest, options: IndexOptions): JsonReply {
  const found = find(documents, body as Body, options.kind ?? 'elasticsearch');
  if (typeof found === 'string') return failure(400, 'x_content_parse_exception', found);
  const failed = options.failedShards ?? 0;
  const size = Number(body['size'] ?? 10);
  const hits = found.slice(0, size).map(({ _id, _score, _source }) => ({ _index: 'i', _id, _score, _source }));
  const _shards = { total: 5, successful: 5 - failed, skipped: 0, failed };
  const total = { value: found.length, relation: 'eq' };
  return {
    status: 200,
    json: { took: 1, timed_out: false, _shards, hits: { total, max_score: hits[0]?._score ?? null, hits } },
  };
}

/** Returns the mapping that the server would derive from the documents. */
function mappingOf(values: readonly object[]): { readonly properties: object } {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of values.flatMap((each) => Object.entries(each))) {
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const properties = [...fields].map(([name, each]) => {
    const inner = each.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
    return [name, inner.length > 0 ? mappingOf(inner as object[]) : { type: 'text' }];
  });
  return { properties: Object.fromEntries(properties) };
}

function mapping(index: string, documents: readonly IndexedDocument[]): JsonReply {
  const sources = documents.map(({ _source, vector }) => ({ ..._source, ...(vector && { embedding: vector }) }));
  return { status: 200, json: { [index]: { mappings: mappingOf(sources) } } };
}

/** Starts a server with a single index. */
export function startElasticsearchServer(
  index: string,
  documents: readonly IndexedDocument[],
  options: IndexOptions = {},
): Promise<SearchHttp> {
  return startSearchHttp((request) => {
    const [name, action] = request.segments;
    if (name !== index) return failure(404, 'index_not_found_exception', `no such index [${name}]`);
    if (action === '_count') return { status: 200, json: { count: documents.length, _shards: { failed: 0 } } };
    if (action === '_mapping') return mapping(index, documents);
    return search(documents, request, options);
  }, options.faultAt);
}
