import { kindOf, RlmError } from '../errors.ts';
import type { Passage } from '../state.ts';

export interface Query {
  readonly text: string;
  /** Words that only give context, such as those of a wider question. */
  readonly focus?: string;
  readonly limit: number;
  /** Maximum size of the text of all passages together, in bytes. */
  readonly maxBytes: number;
  readonly exclude?: ReadonlySet<string>;
  /** If true, words alone decide: a retriever that searches only by meaning finds nothing. */
  readonly byWords?: boolean;
}

/** Functions that a run provides to a retriever that asks a server. */
export interface ServerAccess {
  /** Repeats a request after transient failures. Throws `limit-fetches` and the errors of `send`. */
  request<T>(send: () => Promise<T>): Promise<T>;
  warn(message: string): void;
}

/**
 * Finds passages for a question. `tests/contracts/retriever.ts` tests the contract: passages are sorted best first,
 * scores are positive, no passage occurs twice, equal queries return equal passages, and each excluded passage is
 * replaced by the next best passage.
 */
export interface Retriever {
  readonly name: string;
  /** A passage with at least this share of the best score is nearly as good (`docs/decisions/0051-fusion.md`). */
  readonly nearBest?: number | undefined;
  retrieve(query: Query, signal: AbortSignal, access?: ServerAccess): Promise<readonly Passage[]>;
}

/** Access without a budget and without repetitions: sends each request once. */
export const freeAccess: ServerAccess = { request: (send) => send(), warn: () => {} };

export interface Retrievers {
  readonly all: Retriever;
  /** The retriever without the search server. All its passages are chunks of the text. */
  readonly local: Retriever;
}

export const wordsAlone = 'passages are found by words alone';

/** Returns the warning about a failure. @param loss what the run does instead, such as `wordsAlone`. */
export const tellLoss = (loss: string, { message, hint }: RlmError): string =>
  `${loss}: ${message}${hint ? `. ${hint}` : ''}`;

/**
 * Creates a function that runs work until the first failure. It reports the failure to `warn`, and from then on returns
 * null without running any work. It throws the errors of the run's limits, errors other than RlmError, and the signal's
 * reason.
 */
export function createAttempts(loss: string, warn: (message: string) => void) {
  let isBroken = false;
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> => {
    if (isBroken) return null;
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RlmError) || kindOf(error) === 'limit') throw error;
      isBroken = true;
      warn(tellLoss(loss, error));
      return null;
    }
  };
}

/** Returns one vector per text. All vectors have the same length. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
