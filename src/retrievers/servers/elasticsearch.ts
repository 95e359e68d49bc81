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

/** The servers refuse a query of more clauses than about a thousand. */
const maxWords = 256;

/** More candidates both servers refuse to look at. */
const mostCandidates = 10_000;
const leastCandidates = 1_000;

/**
 * The same copies of the index answer all searches of a run, since equal scores may stand in another order on others.
 */
const preference = 'preference=rlm';

/** The words of a query, each once. */
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
 * The two servers write the search for near vectors in different places, and how many candidates it looks at, too: for
 * OpenSearch that is `k`, and `size` is what it gives. With no more than are wanted it misses every sixth; with 100 one
 * of 50, and every fifth once passages were deleted, since the graph that is searched leads to fewer (`npm run
 * test:opensearch`).
 */
function nearClause(field: string, vector: readonly number[], wanted: number, { kind }: SearchAddress): object {
  const candidates = Math.min(mostCandidates, Math.max(leastCandidates, wanted * 5));
  if (kind === 'opensearch') return { query: { knn: { [field]: { vector, k: candidates } } } };
  return { knn: { field, query_vector: vector, k: wanted, num_candidates: candidates } };
}

/**
 * Opens an index of Elasticsearch or OpenSearch. It gives what BM25 finds on the server; with vectors and the option
 * `vector` also the nearest by them, both fused by rank.
 * @throws RlmError; the signal's reason.
 */
export async function openElasticsearch(parts: ServerParts, signal: AbortSignal): Promise<OpenedServer> {
  const { address, target, client } = parts;
  const path = `/${encodeURIComponent(address.collection)}`;
  const vectorField = address.options.get('vector') ?? null;
  const _source = ['text', 'source', 'startLine', 'endLine'].map((name) => address.options.get(name));

  const { count } = await client.send(`${path}/_count`, null, signal);
  if (typeof count !== 'number') throw notTheServer(target, 'the reply counts nothing');
  /** Asked only where a search finds nothing or is refused, and then once. */
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

  /** By vectors, and by words as well unless meaning stands alone; by words alone where there is no vector. */
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
