import { createMemo } from '../../../base/memo.ts';
import { forEachWord } from '../../../context/words/terms.ts';
import { createKnownWords } from './known-words.ts';
import { termKey } from './term-key.ts';
import type { TermTally } from './term-tally.ts';
import { type HashedPart, latin1, utf8 } from './word-bytes.ts';

/** Non-ASCII words that are remembered with their terms, at most. */
const mostForeignWords = 50_000;

/** Adds the terms of words to a tally. */
export interface WordTerms {
  /**
   * Adds the terms of a word by its hash; only a new word is converted to a string.
   * @param read converts its bytes to the word.
   */
  addKnown(hashed: HashedPart, bytes: Uint8Array, start: number, end: number, read: typeof latin1): void;
  /** Adds the terms of an ASCII word, and does not remember it. */
  addOnce(bytes: Uint8Array, start: number, end: number): void;
  /** Adds the terms of the words of a text in UTF-8. */
  addForeign(bytes: Uint8Array, start: number, end: number): void;
  /** Forgets all words. Required when the tally is cleared, since words are remembered with its term numbers. */
  clear(): void;
}

export function createWordTerms(analyse: (text: string) => readonly string[], tally: TermTally): WordTerms {
  const words = createKnownWords();
  const termsOf = (word: string) => analyse(word).map((term) => tally.numberOf(...termKey(term)));
  let foreignWords = createMemo(mostForeignWords, termsOf);
  const addAll = (terms: readonly number[]) => {
    for (const term of terms) tally.add(term);
  };
  return {
    addKnown: (hashed, bytes, start, end, read) => {
      let known = words.find(hashed.high, hashed.low);
      if (known < 0) known = words.learn(hashed.high, hashed.low, termsOf(read(bytes, start, end)));
      const last = words.begin(known + 1);
      for (let at = words.begin(known); at < last; at++) tally.add(words.termAt(at));
    },
    addOnce: (bytes, start, end) => addAll(termsOf(latin1(bytes, start, end))),
    addForeign: (bytes, start, end) => forEachWord(utf8(bytes, start, end), (one) => addAll(foreignWords(one))),
    clear: () => {
      words.clear();
      foreignWords = createMemo(mostForeignWords, termsOf);
    },
  };
}
