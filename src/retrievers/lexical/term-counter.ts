import { createCounts } from '../../base/arrays.ts';
import { createKeyTable, hashBytes, termKey } from './key-table.ts';

/** Returns the terms of a text, in order. */
export type Analyse = (text: string) => readonly string[];

/** When this many words are known, all are forgotten. */
const mostWords = 400_000;
/** Maximum length of a word whose terms are kept, in bytes. Longer words rarely recur. */
const longestKnownWord = 80;
const longestNumber = 64;

/** Kinds of bytes, as bits. A byte beyond ASCII is taken as part of a word; `analyse` may split the word. */
const joiner = 1;
const small = 2;
const digit = 4;
const other = 8;

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[./\\-]/.test(character)) return joiner;
  if (/[a-z]/.test(character)) return small;
  if (/[0-9]/.test(character)) return digit;
  return byte > 0x7f || /\w/.test(character) ? other : 0;
});

/** A word in a text, without joiners at its start and end. */
interface FoundWord {
  readonly start: number;
  readonly end: number;
  /** Whether the whole word is one term: it is short, begins with a digit, and has only digits and small letters. */
  readonly isNumber: boolean;
}

function findWord(text: Buffer, from: number): FoundWord | null {
  let start = from;
  while (start < text.length && kinds[text[start]!]! <= joiner) start++;
  if (start === text.length) return null;
  let [end, all] = [start, 0];
  for (; end < text.length && kinds[text[end]!] !== 0; end++) all |= kinds[text[end]!]!;
  while (kinds[text[end - 1]!] === joiner) end--;
  const isNumber = kinds[text[start]!] === digit && all <= (digit | small) && (all & joiner) === 0;
  return { start, end, isNumber: isNumber && end - start <= longestNumber };
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

export type TermCounter = ReturnType<typeof createTermCounter>;

/**
 * Creates a counter of terms, which are numbered from 0. It takes the terms of known words from a table, without making
 * strings.
 */
export function createTermCounter(analyse: Analyse) {
  const terms = createKeyTable();
  let frequencies = new Uint32Array(0x8000);
  const touched = createCounts();
  let length = 0;
  const words = createKeyTable();
  /** The terms of all known words, and where each word's terms end. */
  const wordTerms = createCounts();
  const wordEnds = createCounts();

  const numberOf = (key: number): number => {
    const found = terms.find(key);
    if (found >= 0) return found;
    if (terms.count() === frequencies.length) frequencies = doubled(frequencies);
    return terms.add(key);
  };
  const add = (term: number) => {
    if (frequencies[term]!++ === 0) touched.push(term);
    length++;
  };
  const forgetWords = () => {
    words.clear();
    for (const column of [wordTerms, wordEnds]) column.truncate(0);
  };
  const learn = (key: number, own: readonly number[]) => {
    if (words.count() >= mostWords) forgetWords();
    for (const term of own) wordTerms.push(term);
    wordEnds.push(wordTerms.length());
    words.add(key);
  };
  const addWord = (text: Buffer, { start, end, isNumber }: FoundWord) => {
    const key = hashBytes(text, start, end);
    if (isNumber) return add(numberOf(key));
    const known = words.find(key);
    if (known >= 0) {
      const last = wordEnds.at(known);
      for (let at = known === 0 ? 0 : wordEnds.at(known - 1); at < last; at++) add(wordTerms.at(at));
      return;
    }
    const own = analyse(text.toString('utf8', start, end)).map((term) => numberOf(termKey(term)));
    for (const term of own) add(term);
    if (end - start <= longestKnownWord) learn(key, own);
  };
  return {
    /** Counts the terms of a UTF-8 text, which must begin and end between words. */
    count: ({ buffer, byteOffset, byteLength }: Uint8Array) => {
      const text = Buffer.from(buffer, byteOffset, byteLength);
      for (let word = findWord(text, 0); word !== null; word = findWord(text, word.end)) addWord(text, word);
    },
    /** Returns the number of terms since the last `take`, including repeats. */
    length: () => length,
    /** Visits each counted term with its frequency, and resets the counts. */
    take: (visit: (term: number, frequency: number) => void) => {
      for (let at = 0; at < touched.length(); at++) {
        const term = touched.at(at);
        visit(term, frequencies[term]!);
        frequencies[term] = 0;
      }
      touched.truncate(0);
      length = 0;
    },
    known: terms.count,
    find: terms.find,
    key: terms.key,
    clear: () => {
      terms.clear();
      forgetWords();
    },
  };
}
