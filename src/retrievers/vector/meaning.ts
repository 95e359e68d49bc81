import { RlmError } from '../../errors.ts';
import { type Embed, tellLoss, wordsAlone } from '../retriever.ts';

/** The vector of a query. Rejects as `Embed` does. */
export type QueryVector = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/** The same query has the same vector in the whole run, also where a model's vectors differ in the last digit. */
export function createQueryVector(embed: Embed): QueryVector {
  const known = new Map<string, Float32Array>();
  return async (text, signal) => {
    const vector = known.get(text) ?? (await embed([text], signal))[0]!;
    known.set(text, vector);
    return vector;
  };
}

/** How a search server is asked for what a query means. */
export interface Meaning {
  /** The query's vector; null where it cannot be had and words serve instead. */
  vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  /** Whether words are not to be searched for besides. */
  readonly isAlone: boolean;
}

/** Where meaning is not all that was asked for, a failure of `embed` leaves the words to decide, from then on. */
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
