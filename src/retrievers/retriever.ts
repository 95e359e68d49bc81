import type { RlmError } from '../errors.ts';
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
  /** Words alone decide, and no vector of the query is made: a retriever by meaning alone finds nothing. */
  readonly byWords?: boolean;
}

/** What the run lends to a retriever that asks a server. */
export interface ServerAccess {
  /**
   * Makes one request: charges each try to the budget, and tries again after a transient failure, twice at most.
   * @throws RlmError `limit-fetches`; what `send` throws.
   */
  request<T>(send: () => Promise<T>): Promise<T>;
  warn(message: string): void;
}

/**
 * Finds passages for a question. The contract, which `tests/contracts/retriever.ts` holds every retriever to: passages
 * come best first, scores are positive and do not increase, no passage comes twice, the same query gives the same
 * passages, what is excluded does not come and takes no other's place, and a query that matches nothing gives an empty
 * list.
 */
export interface Retriever {
  readonly name: string;
  /**
   * A passage with this part of the best score suits nearly as well as the best, 0–1; where it is absent, scores tell
   * the order and no more. Values: `docs/decisions/0051-fusion.md`.
   */
  readonly nearBest?: number | undefined;
  retrieve(query: Query, signal: AbortSignal, access?: ServerAccess): Promise<readonly Passage[]>;
}

/** Requests that nobody counts: made once. */
export const freeAccess: ServerAccess = { request: (send) => send(), warn: () => {} };

/** What a run searches. */
export interface Retrievers {
  /** Finds passages in all of it. */
  readonly all: Retriever;
  /** Finds passages in the text here alone; they are its chunks. */
  readonly local: Retriever;
}

/** What is said where vectors cannot be had. */
export const wordsAlone = 'passages are found by words alone';

/** The warning of what a failure comes to where a run goes on without what has failed. */
export const tellLoss = (loss: string, { message, hint }: RlmError): string =>
  `${loss}: ${message}${hint ? `. ${hint}` : ''}`;

/** Vectors of texts, one for each and all of one length; one request where they are not kept already. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
