import { createCounts } from '../../base/arrays.ts';
import { createMemo } from '../../base/memo.ts';
import { forEachWord } from '../../context/words/terms.ts';
import { createKeyTable, enlarged, type KeyTable, termKey } from './key-table.ts';
import {
  findIdentifierParts,
  findWord,
  type HashedPart,
  hashPart,
  hashSmall,
  isHyphenated,
  latin1,
  utf8Encoder,
} from './word-bytes.ts';

/** Words that are remembered with their terms, at most; then all are forgotten together. */
const mostWords = 400_000;

/** Words that occurred before, by their hashes, with the terms of each. */
interface KnownWords {
  /** Returns the number of a word, by both parts of its key, or -1. */
  find(high: number, low: number): number;
  /** Remembers an unknown word with its terms, and returns its number; this may invalidate all other numbers. */
  learn(high: number, low: number, terms: readonly number[]): number;
  /** Returns where the terms of a word begin; they end where those of the next word begin. */
  begin(word: number): number;
  termAt(place: number): number;
  clear(): void;
}

function createKnownWords(): KnownWords {
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

/** Non-ASCII words that are remembered with their terms, at most. */
const mostForeignWords = 50_000;

interface WordTerms {
  /** Adds the terms of a word by its hash; `read` converts its bytes, for a new word only. */
  addKnown(hashed: HashedPart, bytes: Uint8Array, start: number, end: number, read: typeof latin1): void;
  /** Adds the terms of an ASCII word, and does not remember it. */
  addOnce(bytes: Uint8Array, start: number, end: number): void;
  /** Adds the terms of the words of a text in UTF-8. */
  addForeign(bytes: Uint8Array, start: number, end: number): void;
  /** Forgets all words. Required when the tally is cleared, since words are remembered with its term numbers. */
  clear(): void;
}

function createWordTerms(analyse: (text: string) => readonly string[], tally: TermTally): WordTerms {
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
    addForeign: (bytes, start, end) => forEachWord(utf8Encoder(bytes, start, end), (one) => addAll(foreignWords(one))),
    clear: () => {
      words.clear();
      foreignWords = createMemo(mostForeignWords, termsOf);
    },
  };
}

/** Counts terms by their numbers, which are assigned from 0 as terms arrive. */
interface TermTally {
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
  clear(): void;
}

function createTermTally(): TermTally {
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

export interface TermCounter extends Omit<TermTally, 'numberOf' | 'add'> {
  /** Counts the terms of a text that begins and ends between words. */
  count(bytes: Uint8Array): void;
}

const longestTerm = 64;
/** Characters of a word that is remembered, at most: longer words rarely recur. */
const longestKnownWord = 40;

export interface Analysis {
  /** Returns the terms of a text. A word with joiners has the terms of its parts; a plain number is its own term. */
  readonly analyse: (text: string) => readonly string[];
  /** Whether an identifier, path or version yields its parts and itself. Otherwise only joiners separate words. */
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

/** Creates a counter of terms, which finds the terms of known plain words by their hashes, without strings. */
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
