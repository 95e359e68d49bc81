import { createCounts } from '../../../base/growing-array.ts';
import { createKeyTable, enlarged } from './key-table.ts';

/** Counts terms by their numbers, which are assigned from 0 as terms arrive. */
export interface TermTally {
  /** Returns the number of a term, by both parts of its key; a new number for an unknown term. */
  numberOf(high: number, low: number): number;
  add(term: number): void;
  /** Returns how many terms were added since `take`, repeats included. */
  length(): number;
  /** Visits each term added since the last call with its frequency, and resets the counts. */
  take(visit: (term: number, frequency: number) => void): void;
  /** Returns how many terms are known; all numbers are below it. */
  known(): number;
  key(term: number): number;
  /** Forgets all terms and their numbers. */
  clear(): void;
}

export function createTermTally(): TermTally {
  const terms = createKeyTable();
  let frequencies = new Uint32Array(0x8000);
  const touched = createCounts();
  let length = 0;
  return {
    numberOf: (high, low) => {
      const found = terms.find(high, low);
      if (found >= 0) return found;
      if (terms.count() === frequencies.length) frequencies = enlarged(frequencies, frequencies.length * 2);
      return terms.add(high, low);
    },
    add: (term) => {
      if (frequencies[term]!++ === 0) touched.push(term);
      length++;
    },
    length: () => length,
    take: (visit) => {
      for (let at = 0; at < touched.length(); at++) {
        const term = touched.at(at);
        visit(term, frequencies[term]!);
        frequencies[term] = 0;
      }
      touched.truncate(0);
      length = 0;
    },
    known: terms.count,
    key: terms.key,
    clear: terms.clear,
  };
}
