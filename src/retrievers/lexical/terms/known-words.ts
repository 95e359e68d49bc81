import { createCounts } from '../../../base/growing-array.ts';
import { createKeyTable } from './key-table.ts';

/** Words that are remembered with their terms, at most; then all are forgotten together. */
const mostWords = 400_000;

/** Words that occurred before, by their hashes, with the terms of each. */
export interface KnownWords {
  /** Returns the number of a word, by both parts of its key, or -1. */
  find(high: number, low: number): number;
  /** Remembers an unknown word with its terms, and returns its number; this may invalidate all other numbers. */
  learn(high: number, low: number, terms: readonly number[]): number;
  /** Returns where the terms of a word begin; they end where those of the next word begin. */
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
