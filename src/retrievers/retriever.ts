import type { Passage } from '../state.ts';

/** What to look for. */
export interface Query {
  readonly text: string;
  /** At most this many passages. */
  readonly limit: number;
  /** At most this many bytes of passage text in all; a passage that would go over is left out whole. */
  readonly maxBytes: number;
}

/**
 * Finds passages for a question. The contract, which `tests/contracts/retriever.ts` holds every retriever to: passages
 * come best first, scores are positive and do not increase, no passage comes twice, the same query gives the same
 * passages, and a query that matches nothing gives an empty list.
 */
export interface Retriever {
  readonly name: string;
  retrieve(query: Query, signal: AbortSignal): Promise<readonly Passage[]>;
}
