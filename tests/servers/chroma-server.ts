/**
 * A simulated Chroma server for the requests of API v2 that a retriever makes. Statuses, fields and error texts are
 * those of the real server (chromadb 3.5.0), which `npm run test:chroma` asks the same.
 */
import { type FaultAt, type JsonReply, type SearchHttp, type SearchRequest, startSearchHttp } from './search-http.ts';

/** A passage that was added to the collection. */
export interface ChromaRecord {
  readonly id: string;
  readonly document: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly embedding?: readonly number[];
}

const collectionId = 'afc458ee-43e4-49e2-8717-39a7001c9bdd';

const failure = (status: number, error: string, message: string): JsonReply => ({ status, json: { error, message } });

type Clause = Readonly<Record<string, unknown>>;

/** Converts a Rust pattern: `(?i)` becomes JavaScript's flag. */
const toRegExp = (pattern: string) =>
  new RegExp(pattern.replace(/^\(\?i\)/, ''), pattern.startsWith('(?i)') ? 'iu' : 'u');

function fits(document: string | null, clause: Clause): boolean {
  const { $and, $or, $contains, $regex } = clause as Record<'$and' | '$or', Clause[]> & Record<string, string>;
  if ($and) return $and.every((inner) => fits(document, inner));
  if ($or) return $or.some((inner) => fits(document, inner));
  if (document === null) return false;
  return $regex === undefined ? document.includes($contains!) : toRegExp($regex).test(document);
}

const squaredDistance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + (value - b[index]!) ** 2, 0);

/** Returns the parallel lists of texts and metadata that were requested. */
function columns(records: readonly ChromaRecord[], include: readonly string[]) {
  return {
    ids: records.map(({ id }) => id),
    embeddings: null,
    documents: include.includes('documents') ? records.map(({ document }) => document) : null,
    uris: null,
    metadatas: include.includes('metadatas') ? records.map(({ metadata }) => metadata ?? null) : null,
    include,
  };
}

function get(records: readonly ChromaRecord[], { body }: SearchRequest): JsonReply {
  const { where_document: where, limit = Number.POSITIVE_INFINITY, include = [] } = body as Record<string, never>;
  try {
    const found = records.filter(({ document }) => where === undefined || fits(document, where)).slice(0, limit);
    return { status: 200, json: columns(found, include) };
  } catch {
    return failure(400, 'InvalidArgumentError', 'Regex syntax errror');
  }
}

function query(records: readonly ChromaRecord[], { body }: SearchRequest): JsonReply {
  const { query_embeddings: vectors, n_results: count = 10, include = [] } = body as Record<string, never>;
  const [vector] = vectors as unknown as readonly (readonly number[])[];
  const known = records.find(({ embedding }) => embedding)?.embedding ?? [];
  if (vector!.length !== known.length) {
    const message = `Collection expecting embedding with dimension of ${known.length}, got ${vector!.length}`;
    return failure(400, 'InvalidArgumentError', message);
  }
  const near = records
    .map((record) => ({ record, distance: squaredDistance(record.embedding!, vector!) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count);
  const row = {
    ...columns(
      near.map(({ record }) => record),
      include,
    ),
    distances: near.map(({ distance }) => distance),
  };
  const wrapped = Object.entries(row).map(([name, value]) => [
    name,
    name === 'include' || value === null ? value : [value],
  ]);
  return { status: 200, json: Object.fromEntries(wrapped) };
}

/** Starts a server with a single collection, by default in the default tenant and database. */
export function startChromaServer(
  name: string,
  records: readonly ChromaRecord[],
  options: { readonly database?: string; readonly faultAt?: FaultAt } = {},
): Promise<SearchHttp> {
  const database = `api/v2/tenants/default_tenant/databases/${options.database ?? 'default_database'}/collections`;
  return startSearchHttp((request) => {
    const place = request.segments.join('/');
    if (place === `${database}/${name}`) return { status: 200, json: { id: collectionId, name } };
    if (place === `${database}/${collectionId}/count`) return { status: 200, json: records.length };
    if (place === `${database}/${collectionId}/get`) return get(records, request);
    if (place === `${database}/${collectionId}/query`) return query(records, request);
    return failure(404, 'NotFoundError', `Collection [${request.segments.at(-1)}] does not exists`);
  }, options.faultAt);
}
