import { createCounts } from '../context/growing-array.ts';
import { createMemo } from '../context/memo.ts';
import { forEachWord } from '../context/terms.ts';
import { findIdentifierParts } from './identifier-bytes.ts';
import { createKeyTable, enlarged } from './key-table.ts';
import { highOf, lowOf, partsOf, primes, seeds, termKey } from './term-key.ts';

/** Counts the terms of text, as UTF-8 bytes. Terms are numbered from 0 as they come. */
export interface TermCounter {
  /** Counts the terms of a text that begins and ends between words. */
  count(bytes: Uint8Array): void;
  /** How many terms were counted since `take`, repeats included. */
  length(): number;
  /** Gives each term counted since the last time, with how often, and begins anew. */
  take(visit: (term: number, frequency: number) => void): void;
  /** How many terms are known; all numbers are below it. */
  known(): number;
  key(term: number): number;
  /** The number of a key that is known. */
  number(key: number): number;
  /** Forgets all terms and their numbers. */
  clear(): void;
}

const separator = 0;
const letter = 1;
const joiner = 2;
const beyondAscii = 3;

/** As `forEachWord` has it; what lies beyond ASCII is left to that. */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte > 0x7f) return beyondAscii;
  return /[./\\-]/.test(character) ? joiner : /\w/.test(character) ? letter : separator;
});

const hyphen = 0x2d;
const lowercase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

const digitBit = 1;
const otherBit = 2;
/** Tells a plain number, of digits and small letters, and a plain word, of small letters, from identifiers. */
const bits = Uint8Array.from(classes, (kind, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return digitBit;
  return kind === letter && byte >= 0x61 ? 0 : otherBit;
});
const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

const longestTerm = 64;
/** Longer words hardly return. */
const longestKnownWord = 40;
/** So many words and their terms are remembered at most, until they are forgotten together. */
const mostWords = 400_000;

/** What the terms of a word are. */
export interface Analysis {
  /** Those of a text, which are those of its words; of a word with joiners, those of its parts, and of a plain number itself. */
  readonly analyse: (text: string) => readonly string[];
  /**
   * Whether an identifier, path or version gives its parts and itself, in small letters, as `terms` has it. Else only a
   * joiner parts words.
   */
  readonly readsIdentifiers: boolean;
  /** Terms that `analyse` leaves out. */
  readonly leftOut: Iterable<string>;
}

/**
 * A counter for the terms of words. Those of plain words that were met before are found by the words' hashes, without
 * making strings of them; numbers, identifiers and paths, many of which never return, are put together from such words.
 */
export function createTermCounter({ analyse, readsIdentifiers, leftOut }: Analysis): TermCounter {
  const terms = createKeyTable();
  const words = createKeyTable();
  const dropped = createKeyTable();
  for (const term of leftOut) {
    const key = termKey(term);
    if (dropped.find(...key) < 0) dropped.add(...key);
  }
  /** Where the terms of each word begin in `wordTerms`; those of the next one begin where they end. */
  const wordStarts = createCounts();
  const wordTerms = createCounts();
  let frequencies = new Uint32Array(0x8000);
  const touched = createCounts();
  let length = 0;

  const numberOf = (high: number, low: number): number => {
    const found = terms.find(high, low);
    if (found >= 0) return found;
    if (terms.count() === frequencies.length) frequencies = enlarged(frequencies, frequencies.length * 2);
    return terms.add(high, low);
  };
  const add = (term: number) => {
    if (frequencies[term]!++ === 0) touched.push(term);
    length++;
  };
  const numbersOf = (word: string) => analyse(word).map((term) => numberOf(...termKey(term)));
  let knownNumbers = createMemo(50_000, numbersOf);

  const learn = (high: number, low: number, word: string): number => {
    if (words.count() >= mostWords) forgetWords();
    for (const term of numbersOf(word)) wordTerms.push(term);
    wordStarts.push(wordTerms.length());
    return words.add(high, low);
  };
  const forgetWords = () => {
    words.clear();
    wordTerms.truncate(0);
    wordStarts.truncate(0);
    wordStarts.push(0);
  };
  forgetWords();
  const addNew = (word: string) => {
    for (const term of numbersOf(word)) add(term);
  };
  const addTermsOf = (word: number) => {
    const last = wordStarts.at(word + 1);
    for (let at = wordStarts.at(word); at < last; at++) add(wordTerms.at(at));
  };
  const addKnown = (bytes: Uint8Array, start: number, end: number, high: number, low: number) => {
    if (end - start > longestKnownWord) return addNew(latin1(bytes, start, end));
    let word = words.find(high, low);
    if (word < 0) word = learn(high, low, latin1(bytes, start, end));
    addTermsOf(word);
  };
  /** The words of a run in which other characters than those of ASCII stand; returns its end. */
  const addRun = (bytes: Uint8Array, start: number): number => {
    let end = start;
    while (end < bytes.length && classes[bytes[end]!] !== separator) end++;
    forEachWord(utf8(bytes, start, end), (word) => {
      for (const term of knownNumbers(word)) add(term);
    });
    return end;
  };
  /** Hashes a word in small letters; what comes of it is in `hash`. */
  const hashSmall = (bytes: Uint8Array, start: number, end: number) => {
    let first: number = seeds[0];
    let second: number = seeds[1];
    hash.isWord = true;
    for (let at = start; at < end; at++) {
      const byte = lowercase[bytes[at]!]!;
      hash.isWord &&= isLetter(byte);
      first = Math.imul(first ^ byte, primes[0]);
      second = Math.imul(second ^ byte, primes[1]);
    }
    hash.high = highOf(first);
    hash.low = lowOf(second);
  };
  const hash = { high: 0, low: 0, isWord: true };
  /** Adds a part of an identifier, or one that has no parts. Only what is a word may have an ending, or be left out. */
  const addSmall = (bytes: Uint8Array, start: number, end: number) => {
    hashSmall(bytes, start, end);
    if (!hash.isWord) return add(numberOf(hash.high, hash.low));
    let word = words.find(hash.high, hash.low);
    if (word < 0) word = learn(hash.high, hash.low, latin1(bytes, start, end).toLowerCase());
    addTermsOf(word);
  };
  const bounds = new Uint32Array(2 * longestKnownWord);
  const addIdentifier = (bytes: Uint8Array, start: number, end: number) => {
    if (end - start > longestKnownWord) return addNew(latin1(bytes, start, end));
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
    hashSmall(bytes, start, end);
    if (dropped.find(hash.high, hash.low) < 0) add(numberOf(hash.high, hash.low));
  };
  /** Adds the part of a word that begins there, which holds no joiner, and returns its end. */
  const addPart = (bytes: Uint8Array, start: number): number => {
    let first: number = seeds[0];
    let second: number = seeds[1];
    let kinds = 0;
    let at = start;
    for (; at < bytes.length && classes[bytes[at]!] === letter; at++) {
      const byte = bytes[at]!;
      first = Math.imul(first ^ byte, primes[0]);
      second = Math.imul(second ^ byte, primes[1]);
      kinds |= bits[byte]!;
    }
    const isNumber = kinds === digitBit && bits[bytes[start]!] === digitBit && at - start <= longestTerm;
    if (isNumber) add(numberOf(highOf(first), lowOf(second)));
    else if (kinds === 0 || !readsIdentifiers) addKnown(bytes, start, at, highOf(first), lowOf(second));
    else addIdentifier(bytes, start, at);
    return at;
  };
  /** A word with joiners is a term itself, too, unless it is hyphenated prose. */
  const addJoined = (bytes: Uint8Array, start: number, end: number) => {
    let isProse = true;
    for (let at = start; at < end; at++) isProse &&= bytes[at] === hyphen || isLetter(lowercase[bytes[at]!]!);
    for (let at = start; at < end; at++) at = addPart(bytes, at);
    if (isProse || !readsIdentifiers) return;
    hashSmall(bytes, start, Math.min(end, start + longestTerm));
    add(numberOf(hash.high, hash.low));
  };
  const count = (bytes: Uint8Array) => {
    const { length: size } = bytes;
    const kindAt = (at: number): number => (at < size ? classes[bytes[at]!]! : separator);
    for (let at = 0; at < size; ) {
      const kind = kindAt(at);
      if (kind === separator || kind === joiner) {
        at++;
        continue;
      }
      const start = at;
      let hasJoiner = false;
      let next = kind;
      while (next === letter) {
        next = kindAt(++at);
        if (next !== joiner) continue;
        // A joiner between two letters belongs to the word.
        next = kindAt(at + 1);
        if (next !== letter) break;
        hasJoiner = true;
        at++;
      }
      if (next === beyondAscii) at = addRun(bytes, start);
      else if (hasJoiner) addJoined(bytes, start, at);
      else addPart(bytes, start);
    }
  };
  return {
    count,
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
    number: (key) => terms.find(...partsOf(key)),
    clear: () => {
      terms.clear();
      forgetWords();
      knownNumbers = createMemo(50_000, numbersOf);
    },
  };
}

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  asBuffer(bytes).toString('latin1', start, end);
const utf8 = (bytes: Uint8Array, start: number, end: number): string => asBuffer(bytes).toString('utf8', start, end);
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
