import type { ContextStore } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import type { Passage } from '../state.ts';
import type { Query, Retriever } from './retriever.ts';
import { takeBest } from './take-best.ts';

/** How slowly a place in a list counts less. */
const k = 60;

/** Passages of each list that are looked at, at least. */
const depth = 100;

export interface HybridParts {
  readonly lexical: Retriever;
  /** May fail; then the words alone decide, from then on. */
  readonly vector: Retriever;
  readonly warn: (message: string) => void;
}

/** Adds up what each list says of a chunk: 1 / (k + its place there, from 1). */
function fuse(store: ContextStore, lists: readonly (readonly Passage[])[]): Float64Array {
  const scores = new Float64Array(store.chunkCount);
  for (const list of lists) {
    for (const [place, { id }] of list.entries()) scores[Number(id.slice(1)) - 1]! += 1 / (k + place + 1);
  }
  return scores;
}

/**
 * Retrieves by words and by meaning, and joins the two by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR
 * 2009): scores of different kinds are not compared, only places. `retrieve` rejects as the lexical retriever does.
 */
export function createHybridRetriever(store: ContextStore, { lexical, vector, warn }: HybridParts): Retriever {
  let isBroken = false;

  async function byMeaning(query: Query, signal: AbortSignal): Promise<readonly Passage[]> {
    if (isBroken) return [];
    try {
      return await vector.retrieve(query, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RlmError)) throw error;
      isBroken = true;
      warn(`passages are found by words alone: ${error.message}${error.hint ? `. ${error.hint}` : ''}`);
      return [];
    }
  }

  return {
    name: 'hybrid',
    async retrieve(query, signal) {
      const all = { ...query, limit: Math.max(depth, query.limit), maxBytes: Number.POSITIVE_INFINITY };
      const lists = await Promise.all([lexical.retrieve(all, signal), byMeaning(all, signal)]);
      return takeBest(store, fuse(store, lists), query);
    },
  };
}
