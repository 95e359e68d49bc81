import { isAscii } from 'node:buffer';
import { createCounts, createNumbers } from '../../base/arrays.ts';
import { detached } from '../../base/memo.ts';
import { forEachWord } from '../../context/words/terms.ts';

/** Returns the terms of a text, which are those of its words; a plain number is its own term. */
export type Analyse = (text: string) => readonly string[];

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Returns the key of a term: 53 bits of a hash of its UTF-8, so that an index stores no strings. Among ten million
 * different terms, a collision has a probability of 0.6 %. Two lanes of FNV-1a (draft-eastlake-fnv) with different
 * primes, each mixed at the end as in MurmurHash3.
 */
export function termKey(term: string): number {
  const bytes = /[^\0-\x7f]/.test(term) ? Buffer.from(term).toString('latin1') : term;
  let first = 0x811c9dc5 | 0;
  let second = 0x9747b28c | 0;
  for (let at = 0; at < bytes.length; at++) {
    first = Math.imul(first ^ bytes.charCodeAt(at), 0x01000193);
    second = Math.imul(second ^ bytes.charCodeAt(at), 0x01000baf);
  }
  return (mix(first) >>> 0) * 2 ** 21 + (mix(second) >>> 11);
}

/** Numbers keys in the order of their arrival, from 0. */
function createKeyNumbers() {
  const keys = createNumbers();
  let places = new Int32Array(0x10000);

  const placeOf = (key: number): number => {
    const mask = places.length - 1;
    let place = key & mask;
    for (;;) {
      const number = places[place]! - 1;
      if (number < 0 || keys.at(number) === key) return place;
      place = (place + 1) & mask;
    }
  };
  const enlarge = () => {
    places = new Int32Array(4 * places.length);
    for (let number = 0; number < keys.length(); number++) places[placeOf(keys.at(number))] = number + 1;
  };
  return {
    /** Returns the number of a key; a new one for an unknown key. */
    of(key: number): number {
      const place = placeOf(key);
      if (places[place]! > 0) return places[place]! - 1;
      keys.push(key);
      places[place] = keys.length();
      if (2 * keys.length() > places.length) enlarge();
      return keys.length() - 1;
    },
    count: keys.length,
    key: keys.at,
    clear() {
      keys.truncate(0);
      places = new Int32Array(0x10000);
    },
  };
}

/** Counts the terms of texts by numbers, which are assigned from 0 as terms arrive. */
export interface TermCounter {
  /** Counts the terms of a text in UTF-8 that begins and ends between words. */
  count(bytes: Uint8Array): void;
  /** Returns how many terms were counted since `take`, repeats included. */
  length(): number;
  /** Visits each term counted since the last call with its frequency, and resets the counts. */
  take(visit: (term: number, frequency: number) => void): void;
  /** Returns how many terms are known; all numbers are below it. */
  known(): number;
  key(term: number): number;
  /** Returns the number of a known key. */
  number(key: number): number;
  /** Forgets all terms and their numbers. */
  clear(): void;
}

const longestNumber = 64;
/** Characters of a word that is remembered, at most: longer words rarely recur. */
const longestWord = 40;
/** Words that are remembered with their terms, at most; then all are forgotten together. */
const mostWords = 400_000;
const plainNumber = /^[0-9a-z]*$/;

/** Whether a word begins with a digit; few of those recur. */
const isNumber = (word: string): boolean => word.charCodeAt(0) >= 0x30 && word.charCodeAt(0) <= 0x39;

/** Creates a counter of terms. It remembers the terms of words; those that begin with a digit rarely recur. */
export function createTermCounter(analyse: Analyse): TermCounter {
  const numbers = createKeyNumbers();
  const words = new Map<string, readonly number[]>();
  const touched = createCounts();
  let frequencies = new Uint32Array(0x8000);
  let length = 0;

  const add = (term: number) => {
    if (term >= frequencies.length) {
      const larger = new Uint32Array(2 * term);
      larger.set(frequencies);
      frequencies = larger;
    }
    if (frequencies[term]!++ === 0) touched.push(term);
    length++;
  };
  const learn = (word: string): readonly number[] => {
    const terms = analyse(word).map((term) => numbers.of(termKey(term)));
    if (word.length > longestWord || isNumber(word)) return terms;
    if (words.size >= mostWords) words.clear();
    words.set(detached(word), terms);
    return terms;
  };
  const addWord = (word: string) => {
    if (isNumber(word) && word.length <= longestNumber && plainNumber.test(word)) return add(numbers.of(termKey(word)));
    const terms = words.get(word) ?? learn(word);
    for (let at = 0; at < terms.length; at++) add(terms[at]!);
  };
  return {
    count: ({ buffer, byteOffset, byteLength }) => {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      forEachWord(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), addWord);
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
    known: numbers.count,
    key: numbers.key,
    number: numbers.of,
    clear: () => {
      numbers.clear();
      words.clear();
    },
  };
}
