import { findIdentifierParts } from './identifier-bytes.ts';
import { createKeyTable, type KeyTable } from './key-table.ts';
import { termKey } from './term-key.ts';
import { createTermTally, type TermTally } from './term-tally.ts';
import { findWord, hashPart, hashSmall, isHyphenated, latin1 } from './word-bytes.ts';
import { createWordTerms } from './word-terms.ts';

/** Counts the terms of text in UTF-8. */
export interface TermCounter extends Omit<TermTally, 'numberOf' | 'add'> {
  /** Counts the terms of a text that begins and ends between words. */
  count(bytes: Uint8Array): void;
}

const longestTerm = 64;
/** Characters of a word that is remembered, at most: longer words rarely recur. */
const longestKnownWord = 40;

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
  const { addKnown, addOnce, addForeign, clear: forgetWords } = createWordTerms(analyse, tally);
  const dropped = keysOf(leftOut);
  const word = { start: 0, end: 0, isJoined: false, isAscii: true };
  const hashed = { high: 0, low: 0, end: 0, isNumber: false, isPlain: false };

  /** Adds the hashed bytes as a term. */
  const addHashed = () => tally.add(tally.numberOf(hashed.high, hashed.low));
  /** Adds a part of an identifier, or an identifier without parts. Only plain words are stemmed or left out. */
  const addSmall = (bytes: Uint8Array, start: number, end: number) => {
    hashSmall(bytes, start, end, hashed);
    if (hashed.isPlain) addKnown(hashed, bytes, start, end, smallLatin1);
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
    else if (end - start > longestKnownWord) addOnce(bytes, start, end);
    else if (hashed.isPlain || !readsIdentifiers) addKnown(hashed, bytes, start, end, latin1);
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
    forgetWords();
  };
  return { count, length, take, known, key, clear };
}
