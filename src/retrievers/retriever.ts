import { kindOf, RlmError } from '../errors.ts';
import type { Passage } from '../state.ts';

export interface Query {
  readonly text: string;
  /** Words that only give context, such as those of a wider question: they count less, or not at all. */
  readonly focus?: string;
  readonly limit: number;
  /** At most this many bytes of passage text in all; a passage that would exceed this is left out. */
  readonly maxBytes: number;
  readonly exclude?: ReadonlySet<string>;
  /** Whether words alone decide, without a vector of the query. A retriever by meaning alone then finds nothing. */
  readonly byWords?: boolean;
}

/** What the run provides to a retriever that asks a server. */
export interface ServerAccess {
  /** Makes a request, and repeats it after transient failures. Throws `limit-fetches` and the errors of `send`. */
  request<T>(send: () => Promise<T>): Promise<T>;
  warn(message: string): void;
}

/**
 * Finds passages for a question. `tests/contracts/retriever.ts` tests the contract of every retriever: passages are
 * sorted best first, scores are positive and do not increase, no passage occurs twice, equal queries return equal
 * passages, excluded passages are missing and displace no others, and a query that matches nothing returns an empty
 * list.
 */
export interface Retriever {
  readonly name: string;
  /** Share of the best score from which a passage matches nearly as well (`docs/decisions/0051-fusion.md`). */
  readonly nearBest?: number | undefined;
  retrieve(query: Query, signal: AbortSignal, access?: ServerAccess): Promise<readonly Passage[]>;
}

/** Access without a budget: each request is made once. */
export const freeAccess: ServerAccess = { request: (send) => send(), warn: () => {} };

export interface Retrievers {
  /** Finds passages in the text and on the search server. */
  readonly all: Retriever;
  /** Finds passages only in the text, not on a server. They are the chunks of the text. */
  readonly local: Retriever;
}

export const wordsAlone = 'passages are found by words alone';

/** Returns the warning about a failure after which a run continues. @param loss what the run does instead. */
export const tellLoss = (loss: string, { message, hint }: RlmError): string =>
  `${loss}: ${message}${hint ? `. ${hint}` : ''}`;

/**
 * Creates a function that runs work. Its first failure is reported by `warn`; from then on, it runs nothing and returns
 * null. It throws a limit of the run, an error that is no RlmError, and the signal's reason.
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

/** Returns vectors of texts, one per text and all of one length; makes one request where they are not stored. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
