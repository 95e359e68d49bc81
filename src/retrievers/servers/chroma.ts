/** Searches a Chroma server. The server finds words by patterns, but does not rank passages. This module ranks them. */

import { contentTerms } from '../../context/words/terms.ts';
import { asList, asObject, type Json } from '../../providers/wire/json.ts';
import { notTheServer } from '../../providers/wire/server-errors.ts';
import { freeAccess, type Query, type ServerAccess } from '../retriever.ts';
import {
  createCandidates,
  type OpenedServer,
  type ScoredDocument,
  type ServerDocument,
  type ServerParts,
  takePassages,
  toLine,
  toSource,
  wantedFor,
} from './server-passages.ts';

/** Returns passages whose text matches every pattern, in the order of the collection. */
type FindByPatterns = (patterns: readonly string[], limit: number) => Promise<readonly ServerDocument[]>;

const batchSize = 300;
const maxTerms = 32;
/** Maximum number of terms that are combined in one search, if each term alone has too many matches. */
const maxTogether = 4;

const syntax = /[\\^$.*+?()[\]{}|]/g;

/** Returns a pattern for Rust's regex crate. A term of up to three ASCII letters or digits matches whole words. */
function patternOf(term: string): string {
  if (/^[a-z]{2,3}$/.test(term)) return `\\b${shortPattern(term)}\\b`;
  if (/^[a-z0-9]{1,3}$/.test(term)) return `\\b${term}\\b`;
  const root = /^[a-z]+[ie]$/.test(term) ? term.slice(0, -1) : term;
  return root.replace(syntax, '\\$&');
}

/** `log` matches `log` and `logs`; `tri` matches `try` and `tries`. */
function shortPattern(term: string): string {
  const last = term.at(-1)!;
  const root = last === 'i' ? `${term.slice(0, -1)}[iy]` : term;
  return `${root}(?:e?s|${last}?(?:ed|ing))?`;
}

function patternsOf(query: string): Map<string, string> {
  const distinct = [...new Set(contentTerms(query))].slice(0, maxTerms);
  const accented = query.toLowerCase().match(/[\p{L}\p{M}]*[^\p{ASCII}\P{L}][\p{L}\p{M}]*/gu) ?? [];
  return new Map(
    distinct.map((term) => {
      const asWritten = accented.filter((word) => contentTerms(word).includes(term) && word !== term);
      return [term, [patternOf(term), ...asWritten].join('|')];
    }),
  );
}

function createGathering(patterns: ReadonlyMap<string, string>, find: FindByPatterns) {
  const candidates = createCandidates();
  const complete = new Set<string>();
  const anyOf = (terms: readonly string[]) => `(?i)${terms.map((term) => patterns.get(term)!).join('|')}`;
  // Used only for terms with too many matches. Leaves out matches in the middle of a word.
  const atStart = (term: string) => `(?i)${/^\w/.test(term) ? '(?:\\b|_)' : ''}(?:${patterns.get(term)!})`;

  /** Fetches passages that match. Returns whether all matching passages were fetched. */
  async function fetch(wanted: readonly string[]): Promise<boolean> {
    const documents = await find(wanted, batchSize);
    candidates.add(documents);
    return documents.length < batchSize;
  }

  return {
    candidates,
    isComplete: (term: string) => complete.has(term),
    async fetchAny(terms: readonly string[]): Promise<boolean> {
      const isWhole = await fetch([anyOf(terms)]);
      if (isWhole) for (const term of terms) complete.add(term);
      return isWhole;
    },
    fetchAll: (terms: readonly string[]) => fetch(terms.map(atStart)),
    rarestFirst: (terms: readonly string[]) =>
      [...terms].sort((one, other) => candidates.holders(one) - candidates.holders(other)),
  };
}

type Gathering = ReturnType<typeof createGathering>;

async function narrow({ fetchAny, rarestFirst }: Gathering, isWhole: boolean, all: readonly string[]): Promise<void> {
  for (let terms = all; !isWhole && terms.length > 1; ) {
    terms = rarestFirst(terms).slice(0, Math.ceil(terms.length / 2));
    if (await fetchAny(terms)) return;
  }
}

/** Combines two, three, then four terms that each have too many matches, until a search returns all its matches. */
async function combine({ fetchAll, rarestFirst, isComplete }: Gathering, all: readonly string[]): Promise<void> {
  const frequent = rarestFirst(all.filter((term) => !isComplete(term)));
  for (let count = 2; count <= Math.min(maxTogether, frequent.length); count++) {
    if (await fetchAll(frequent.slice(0, count))) return;
  }
}

/** @param all number of passages in the collection. */
async function findByWords(query: string, all: number, find: FindByPatterns): Promise<ScoredDocument[]> {
  const patterns = patternsOf(query);
  const terms = [...patterns.keys()];
  if (terms.length === 0) return [];
  const gathering = createGathering(patterns, find);
  const { candidates } = gathering;
  const isWhole = await gathering.fetchAny(terms);
  const inSample = new Map(terms.map((term) => [term, candidates.holders(term)]));
  await narrow(gathering, isWhole, terms);
  await combine(gathering, terms);
  return candidates.rank(query, estimateHolders(gathering, inSample, all), all);
}

function estimateHolders({ candidates, isComplete }: Gathering, inSample: ReadonlyMap<string, number>, all: number) {
  const counted = [...inSample].filter(([term, count]) => isComplete(term) && count > 0);
  const total = counted.reduce((sum, [term]) => sum + candidates.holders(term), 0);
  const sampled = counted.reduce((sum, [, count]) => sum + count, 0);
  const scale = Math.min(all / batchSize, sampled === 0 ? Number.POSITIVE_INFINITY : total / sampled);
  return (term: string): number => {
    const found = candidates.holders(term);
    return isComplete(term) ? found : Math.max(found, Math.round((inSample.get(term) ?? 0) * scale));
  };
}

interface Collection {
  readonly path: string;
  readonly passages: number;
}

const segment = encodeURIComponent;

/** Looks up the collection by its name, because later requests need its id. */
async function openCollection({ address, target, client }: ServerParts, signal: AbortSignal): Promise<Collection> {
  const { collection, options } = address;
  const database = `/api/v2/tenants/${segment(options.get('tenant')!)}/databases/${segment(options.get('database')!)}`;
  const { id } = await client.send(`${database}/collections/${segment(collection)}`, null, signal);
  if (typeof id !== 'string') throw notTheServer(target, 'the reply names no collection');
  const path = `${database}/collections/${segment(id)}`;
  const { value } = await client.send(`${path}/count`, null, signal);
  if (typeof value !== 'number') throw notTheServer(target, 'the reply has no number of passages');
  return { path, passages: value };
}

/** Reads the parallel lists of ids, texts and metadata that Chroma returns. Null for a document without text. */
function readDocuments(reply: Json, parts: ServerParts): (ServerDocument | null)[] {
  const { options } = parts.address;
  if (!Array.isArray(reply['ids']) || !Array.isArray(reply['documents'])) {
    throw notTheServer(parts.target, 'the reply lists no documents');
  }
  const { ids, documents, metadatas } = reply as { ids: unknown[]; documents: unknown[]; metadatas: unknown };
  return ids.map((id, index) => {
    const text = documents[index];
    if (typeof text !== 'string' || text === '') return null;
    const fields = asObject(asList(metadatas)[index]);
    return {
      id: String(id),
      text,
      source: toSource(fields[options.get('source')!]),
      startLine: toLine(fields[options.get('startLine')!]),
      endLine: toLine(fields[options.get('endLine')!]),
    };
  });
}

const withText = (documents: readonly (ServerDocument | null)[]): ServerDocument[] =>
  documents.filter((document) => document !== null);

/** Converts a distance to a score above 0. A distance by inner product may be negative. */
const nearness = (distance: number): number => (distance >= 0 ? 1 / (1 + distance) : 1 - distance);

/** Returns the only row of a reply. Chroma replies with a row for each vector of a query. */
const firstRow = (reply: Json): Json =>
  Object.fromEntries(Object.entries(reply).map(([name, rows]) => [name, asList(rows)[0]]));

/** Opens a collection of a Chroma server. Throws RlmError. */
export async function openChroma(parts: ServerParts, signal: AbortSignal): Promise<OpenedServer> {
  const { client } = parts;
  const { path, passages } = await openCollection(parts, signal);

  async function byWords(query: Query, access: ServerAccess, signal: AbortSignal): Promise<ScoredDocument[]> {
    const find = async (patterns: readonly string[], limit: number) => {
      const clauses = patterns.map((pattern) => ({ $regex: pattern }));
      const where = clauses.length === 1 ? clauses[0] : { $and: clauses };
      const body = { where_document: where, include: ['documents', 'metadatas'], limit };
      const reply = await access.request(() => client.send(`${path}/get`, body, signal));
      return withText(readDocuments(reply, parts));
    };
    return findByWords(query.text, passages, find);
  }

  async function byVector(query: Query, vector: Float32Array, access: ServerAccess, signal: AbortSignal) {
    const wanted = { n_results: wantedFor(query), include: ['documents', 'metadatas', 'distances'] };
    const body = { query_embeddings: [[...vector]], ...wanted };
    const row = firstRow(await access.request(() => client.send(`${path}/query`, body, signal)));
    const documents = readDocuments(row, parts);
    const distances = asList(row['distances']);
    return documents.flatMap((document, index): ScoredDocument[] => {
      const distance = distances[index];
      return document && typeof distance === 'number' ? [{ document, score: nearness(distance) }] : [];
    });
  }

  return {
    passages,
    takesVectors: true,
    createRetriever: (meaning) => ({
      name: 'chroma',
      retrieve: async (query, signal, access = freeAccess) => {
        signal.throwIfAborted();
        if (query.limit < 1 || query.maxBytes < 1 || query.text.trim() === '') return [];
        const vector = (await meaning?.vectorOf(query.text, signal)) ?? null;
        const found = await (vector === null
          ? byWords(query, access, signal)
          : byVector(query, vector, access, signal));
        return takePassages(found, query, access.warn);
      },
    }),
  };
}
