import { RlmError } from '../../errors.ts';
import { type Embed, tellLoss, wordsAlone } from '../retriever.ts';

/** Returns the vector of a query. Rejects as `Embed` does. */
export type QueryVector = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/**
 * Creates a cache of query vectors: the same query has the same vector in the whole run, even where a model's vectors
 * vary in the last digit.
 */
export function createQueryVector(embed: Embed): QueryVector {
  const known = new Map<string, Float32Array>();
  return async (text, signal) => {
    const vector = known.get(text) ?? (await embed([text], signal))[0]!;
    known.set(text, vector);
    return vector;
  };
}

/** How a search server is searched by meaning. */
export interface Meaning {
  /** Returns the query's vector; null where it is not available and words are used instead. */
  vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  /** Whether words are not searched for as well. */
  readonly isAlone: boolean;
}

/** Creates query vectors for a search server. Unless `isAlone`, words alone decide after a failure of `embed`. */
export function createMeaning(embed: Embed, isAlone: boolean, warn: (message: string) => void): Meaning {
  const queryVector = createQueryVector(embed);
  let isBroken = false;
  return {
    isAlone,
    async vectorOf(text, signal) {
      if (isBroken) return null;
      try {
        return await queryVector(text, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isAlone || !(error instanceof RlmError)) throw error;
        isBroken = true;
        warn(tellLoss(wordsAlone, error));
        return null;
      }
    },
  };
}
