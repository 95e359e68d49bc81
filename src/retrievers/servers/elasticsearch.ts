import { forEachWord } from '../../context/words/terms.ts';
import { RlmError } from '../../errors.ts';
import { reciprocalRanks } from '../fused.ts';
import { nearBestByWords } from '../lexical/retriever.ts';
import { freeAccess, type Query, type ServerAccess } from '../retriever.ts';
import type { Meaning } from '../vector/meaning.ts';
import { readHits } from './elasticsearch-hits.ts';
import { checkFields } from './index-fields.ts';
import type { OpenedServer, ServerParts } from './opened-server.ts';
import type { SearchAddress } from './search-address.ts';
import { notTheServer } from './search-errors.ts';
import { type ScoredDocument, takePassages, wantedFor } from './server-passages.ts';

/** Words of a query, at most: the servers refuse a query with more than about a thousand clauses. */
const maxWords = 256;

/** Candidates of a vector search, at most: both servers refuse more. */
const mostCandidates = 10_000;
const leastCandidates = 1_000;

/**
 * Sends all searches of a run to the same copies of the index, since other copies may order equal scores differently.
 */
const preference = 'preference=rlm';

/** Returns the words of a query, each once. */
function wordsOf(text: string): string {
  const words = new Set<string>();
  forEachWord(text, (word) => {
    words.add(word);
  });
  return [...words].slice(0, maxWords).join(' ');
}

function matchClause(query: Query, { options }: SearchAddress): object {
  const words = wordsOf(query.text);
  const fields = options.get('search')?.split(',') ?? [];
  if (fields.length > 0) return { query: { multi_match: { query: words, fields } } };
  return { query: { match: { [options.get('text')!]: { query: words } } } };
}

/**
 * Returns the clause for the nearest vectors. The two servers differ in its place and in how the number of candidates
 * is given: for OpenSearch that is `k`, and `size` is the number of results. With no more candidates than wanted
 * passages, one in six of the nearest is missed; with 100, one in 50, and one in five once passages were deleted,
 * since the searched graph then reaches fewer (`npm run test:opensearch`).
 */
function nearClause(field: string, vector: readonly number[], wanted: number, { kind }: SearchAddress): object {
  const candidates = Math.min(mostCandidates, Math.max(leastCandidates, wanted * 5));
  if (kind === 'opensearch') return { query: { knn: { [field]: { vector, k: candidates } } } };
  return { knn: { field, query_vector: vector, k: wanted, num_candidates: candidates } };
}

/**
 * Opens an index of Elasticsearch or OpenSearch. It finds passages by BM25 on the server; with vectors and the option
 * `vector` also the nearest passages, both fused by rank.
 * @throws RlmError; the signal's reason.
 */
export async function openElasticsearch(parts: ServerParts, signal: AbortSignal): Promise<OpenedServer> {
  const { address, target, client } = parts;
  const path = `/${encodeURIComponent(address.collection)}`;
  const vectorField = address.options.get('vector') ?? null;
  const _source = ['text', 'source', 'startLine', 'endLine'].map((name) => address.options.get(name));

  const { count } = await client.send(`${path}/_count`, null, signal);
  if (typeof count !== 'number') throw notTheServer(target, 'the reply counts nothing');
  /** The check of fields, made once and only after a search finds nothing or is refused. */
  let checking: Promise<void> | null = null;
  const check = (): Promise<void> => {
    checking ??= checkFields(parts, signal);
    return checking;
  };

  async function search(query: Query, clause: object, access: ServerAccess, signal: AbortSignal) {
    const body = { ...clause, size: wantedFor(query), _source };
    const send = () => client.send(`${path}/_search?${preference}`, body, signal);
    const reply = await access.request(send).catch(async (error: unknown) => {
      if (error instanceof RlmError && error.code === 'request-refused') await check();
      throw error;
    });
    const found = readHits(reply, parts, access.warn);
    if (found.length > 0 || count === 0) return found;
    await check();
    return found;
  }

  /** Searches by vectors, and by words too unless meaning is used alone; by words alone without a vector. */
  async function searchAll(query: Query, meaning: Meaning | null, access: ServerAccess, signal: AbortSignal) {
    const vector = vectorField === null ? null : ((await meaning?.vectorOf(query.text, signal)) ?? null);
    const words = matchClause(query, address);
    if (vectorField === null || vector === null) return search(query, words, access, signal);
    const near = nearClause(vectorField, [...vector], wantedFor(query), address);
    const clauses = meaning?.isAlone ? [near] : [words, near];
    const lists = await Promise.all(clauses.map((clause) => search(query, clause, access, signal)));
    const fused = reciprocalRanks(lists, ({ document }) => document.id);
    return [...fused.values()].map(({ item, score }): ScoredDocument => ({ document: item.document, score }));
  }

  return {
    passages: count,
    takesVectors: vectorField !== null,
    createRetriever: (meaning) => ({
      name: address.kind,
      nearBest: meaning === null ? nearBestByWords : undefined,
      retrieve: async (query, signal, access = freeAccess) => {
        signal.throwIfAborted();
        if (query.limit < 1 || query.maxBytes < 1 || wordsOf(query.text) === '') return [];
        return takePassages(await searchAll(query, meaning, access, signal), query, access.warn);
      },
    }),
  };
}
