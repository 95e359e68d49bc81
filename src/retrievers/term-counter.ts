import { createCounts } from '../context/growing-array.ts';
import { createMemo } from '../context/memo.ts';
import { forEachWord } from '../context/terms.ts';
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
/** Tells a plain number, of digits and small letters, from other words. */
const bits = Uint8Array.from(classes, (kind, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return digitBit;
  return kind === letter && byte >= 0x61 ? 0 : otherBit;
});

const longestTerm = 64;
/** Longer words hardly return. */
const longestKnownWord = 40;
/** So many words and their terms are remembered at most, until they are forgotten together. */
const mostWords = 400_000;

/** What the terms of a word are. */
export interface Analysis {
  /** Those of a text, which are those of its words; of a word with joiners, those of its parts, and of a plain number itself. */
  readonly analyse: (text: string) => readonly string[];
  /** Whether a word with joiners, but for hyphenated prose, is a term itself, too, in small letters. */
  readonly keepsJoined: boolean;
}

/**
 * A counter for the terms of words. Those of words that were met before are found by the words' hashes, without making
 * strings of them; plain numbers and words with joiners, which hardly return, need none at all.
 */
export function createTermCounter({ analyse, keepsJoined }: Analysis): TermCounter {
  const terms = createKeyTable();
  const words = createKeyTable();
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
  const addKnown = (bytes: Uint8Array, start: number, end: number, high: number, low: number) => {
    if (end - start > longestKnownWord) return addNew(latin1(bytes, start, end));
    let word = words.find(high, low);
    if (word < 0) word = learn(high, low, latin1(bytes, start, end));
    const last = wordStarts.at(word + 1);
    for (let at = wordStarts.at(word); at < last; at++) add(wordTerms.at(at));
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
  const addWhole = (bytes: Uint8Array, start: number, end: number) => {
    let first: number = seeds[0];
    let second: number = seeds[1];
    let isProse = true;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      const small = lowercase[byte]!;
      isProse &&= byte === hyphen || (small >= 0x61 && small <= 0x7a);
      if (at - start >= longestTerm) continue;
      first = Math.imul(first ^ small, primes[0]);
      second = Math.imul(second ^ small, primes[1]);
    }
    if (!isProse) add(numberOf(highOf(first), lowOf(second)));
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
    else addKnown(bytes, start, at, highOf(first), lowOf(second));
    return at;
  };
  const addJoined = (bytes: Uint8Array, start: number, end: number) => {
    for (let at = start; at < end; at++) at = addPart(bytes, at);
    if (keepsJoined) addWhole(bytes, start, end);
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
