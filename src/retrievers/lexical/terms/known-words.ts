import { createCounts } from '../../../base/growing-array.ts';
import { createKeyTable } from './key-table.ts';

/** So many words and their terms are remembered at most, until they are forgotten together. */
const mostWords = 400_000;

/** Words that were met before, by their hashes, and the terms of each. */
export interface KnownWords {
  /** The number of a word, by both parts of its key, else -1. */
  find(high: number, low: number): number;
  /** Remembers a word that is not known, with its terms; it may cost the numbers of all others. */
  learn(high: number, low: number, terms: readonly number[]): number;
  /** Where the terms of a word begin; they end where those of the next one begin. */
  begin(word: number): number;
  termAt(place: number): number;
  clear(): void;
}

export function createKnownWords(): KnownWords {
  const words = createKeyTable();
  const starts = createCounts();
  const terms = createCounts();
  const clear = () => {
    words.clear();
    terms.truncate(0);
    starts.truncate(0);
    starts.push(0);
  };
  clear();
  return {
    find: words.find,
    learn: (high, low, own) => {
      if (words.count() >= mostWords) clear();
      for (const term of own) terms.push(term);
      starts.push(terms.length());
      return words.add(high, low);
    },
    begin: starts.at,
    termAt: terms.at,
    clear,
  };
}
