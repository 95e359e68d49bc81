import type { Passage } from '../state.ts';

/** What to look for. */
export interface Query {
  readonly text: string;
  /** Words that only tell where to look, such as those of a wider question: they count less, or not at all. */
  readonly focus?: string;
  /** At most this many passages. */
  readonly limit: number;
  /** At most this many bytes of passage text in all; a passage that would go over is left out whole. */
  readonly maxBytes: number;
  /** Ids of passages that are not wanted. */
  readonly exclude?: ReadonlySet<string>;
}

/**
 * Finds passages for a question. The contract, which `tests/contracts/retriever.ts` holds every retriever to: passages
 * come best first, scores are positive and do not increase, no passage comes twice, the same query gives the same
 * passages, what is excluded does not come and takes no other's place, and a query that matches nothing gives an empty
 * list.
 */
export interface Retriever {
  readonly name: string;
  retrieve(query: Query, signal: AbortSignal): Promise<readonly Passage[]>;
}
