import { createMemo } from '../../../base/memo.ts';
import { forEachWord } from '../../../context/words/terms.ts';
import { findIdentifierParts } from './identifier-bytes.ts';
import { createKeyTable, type KeyTable } from './key-table.ts';
import { createKnownWords } from './known-words.ts';
import { termKey } from './term-key.ts';
import { createTermTally, type TermTally } from './term-tally.ts';
import { findWord, hashPart, hashSmall, isHyphenated, latin1, utf8 } from './word-bytes.ts';

/** Counts the terms of text in UTF-8. */
export interface TermCounter extends Omit<TermTally, 'numberOf' | 'add'> {
  /** Counts the terms of a text that begins and ends between words. */
  count(bytes: Uint8Array): void;
}

const longestTerm = 64;
/** Characters of a word that is remembered, at most: longer words rarely recur. */
const longestKnownWord = 40;
/** Non-ASCII words that are remembered with their terms, at most. */
const mostForeignWords = 50_000;

/** How words become terms. */
export interface Analysis {
  /**
   * Returns the terms of a text, which are those of its words. A word with joiners has the terms of its parts; a plain
   * number is its own term.
   */
  readonly analyse: (text: string) => readonly string[];
  /**
   * Whether an identifier, path or version yields its parts and itself in lower case, as in `terms`. Otherwise only
   * joiners separate words.
   */
  readonly readsIdentifiers: boolean;
  /** Terms that `analyse` leaves out. */
  readonly leftOut: Iterable<string>;
}

function keysOf(terms: Iterable<string>): KeyTable {
  const keys = createKeyTable();
  for (const term of terms) {
    const key = termKey(term);
    if (keys.find(...key) < 0) keys.add(...key);
  }
  return keys;
}

const smallLatin1: typeof latin1 = (bytes, start, end) => latin1(bytes, start, end).toLowerCase();

/**
 * Creates a counter of terms. The terms of known plain words are found by the words' hashes, without creating strings;
 * numbers, identifiers and paths, many of which never recur, are composed of such words.
 */
export function createTermCounter({ analyse, readsIdentifiers, leftOut }: Analysis): TermCounter {
  const tally = createTermTally();
  const words = createKnownWords();
  const dropped = keysOf(leftOut);
  const termsOf = (word: string) => analyse(word).map((term) => tally.numberOf(...termKey(term)));
  let foreignWords = createMemo(mostForeignWords, termsOf);
  const word = { start: 0, end: 0, isJoined: false, isAscii: true };
  const hashed = { high: 0, low: 0, end: 0, isNumber: false, isPlain: false };

  const addAll = (terms: readonly number[]) => {
    for (const term of terms) tally.add(term);
  };
  /** Adds the hashed bytes as a term. */
  const addHashed = () => tally.add(tally.numberOf(hashed.high, hashed.low));
  /** Adds the terms of the hashed word; only a new word is converted to a string. */
  const addWord = (bytes: Uint8Array, start: number, end: number, read: typeof latin1) => {
    let known = words.find(hashed.high, hashed.low);
    if (known < 0) known = words.learn(hashed.high, hashed.low, termsOf(read(bytes, start, end)));
    const last = words.begin(known + 1);
    for (let at = words.begin(known); at < last; at++) tally.add(words.termAt(at));
  };
  /** Adds a part of an identifier, or an identifier without parts. Only plain words are stemmed or left out. */
  const addSmall = (bytes: Uint8Array, start: number, end: number) => {
    hashSmall(bytes, start, end, hashed);
    if (hashed.isPlain) addWord(bytes, start, end, smallLatin1);
    else addHashed();
  };
  const bounds = new Uint32Array(2 * longestKnownWord);
  const addIdentifier = (bytes: Uint8Array, start: number, end: number) => {
    const count = findIdentifierParts(bytes, start, end, bounds);
    let added = 0;
    for (let part = 0; part < count; part++) {
      const from = bounds[2 * part]!;
      const to = bounds[2 * part + 1]!;
      if (to - from < 2 || to - from === end - start) continue;
      addSmall(bytes, from, to);
      added++;
    }
    if (added === 0) {
      if (count > 0) addSmall(bytes, start, end);
      return;
    }
    hashSmall(bytes, start, end, hashed);
    if (dropped.find(hashed.high, hashed.low) < 0) addHashed();
  };
  /** Adds the part of a word that begins at `start` and contains no joiner, and returns its end. */
  const addPart = (bytes: Uint8Array, start: number): number => {
    hashPart(bytes, start, hashed);
    const { end } = hashed;
    if (hashed.isNumber && end - start <= longestTerm) addHashed();
    else if (end - start > longestKnownWord) addAll(termsOf(latin1(bytes, start, end)));
    else if (hashed.isPlain || !readsIdentifiers) addWord(bytes, start, end, latin1);
    else addIdentifier(bytes, start, end);
    return end;
  };
  /** Adds a word with joiners as a term itself, unless it is hyphenated prose. */
  const addJoined = (bytes: Uint8Array, start: number, end: number) => {
    for (let at = start; at < end; at++) at = addPart(bytes, at);
    if (!readsIdentifiers || isHyphenated(bytes, start, end)) return;
    hashSmall(bytes, start, Math.min(end, start + longestTerm), hashed);
    addHashed();
  };
  const addForeign = (bytes: Uint8Array, start: number, end: number) =>
    forEachWord(utf8(bytes, start, end), (one) => addAll(foreignWords(one)));
  const count = (bytes: Uint8Array) => {
    for (let at = 0; findWord(bytes, at, word); at = word.end) {
      const { start, end } = word;
      if (!word.isAscii) addForeign(bytes, start, end);
      else if (word.isJoined) addJoined(bytes, start, end);
      else addPart(bytes, start);
    }
  };
  const { length, take, known, key } = tally;
  const clear = () => {
    tally.clear();
    words.clear();
    foreignWords = createMemo(mostForeignWords, termsOf);
  };
  return { count, length, take, known, key, clear };
}
