import { createMemo } from '../../base/memo.ts';
import { identifierParts } from './identifier.ts';
import { stem } from './stem.ts';

const list =
  'a about after all also am an and any are as at be because been before being between both but by can could did do ' +
  'does doing done during each either for from further had has have having he her here hers him his how however i if ' +
  'in into is it its itself just may me might more most much must my neither no nor not of off on once only or other ' +
  'our ours out over own s same shall she should so some such t than that the their theirs them then there these they ' +
  'this those through thus to too under until up upon us very was we were what when where whether which while who ' +
  'whom whose why will with within without would yet you your yours d ll m re ve don doesn didn isn aren wasn weren ' +
  'hasn haven hadn won wouldn couldn shouldn';

/** English words that say nothing about the topic of a text. */
export const stopwordList: readonly string[] = list.split(' ');

const stopwords: ReadonlySet<string> = new Set(stopwordList.map(stem));

const maxTermLength = 64;

type Stemmer = (word: string) => string;

/**
 * Returns the terms of a text in order, with repetitions. Terms are words in lower case (without accents, and without
 * English endings), numbers, and pairs of adjacent characters for Chinese, Japanese and Korean.
 * An identifier, a path or a version yields its parts and then itself: `src/readInputs.ts` is `src`, `read`, `input`,
 * `readinputs`, `ts`, `src/readinputs.ts`. A hyphenated word yields its parts.
 */
export const terms = createTermReader(stem);

/** Creates a reader of terms that stems words with `stemWord`. */
export function createTermReader(stemWord: Stemmer): (text: string) => string[] {
  const wordTerms = createWordReader(stemWord);
  const knownTerms = createMemo(50_000, wordTerms);
  return (text) => {
    const found: string[] = [];
    forEachWord(text, (word) => {
      for (const term of isRecurring(word) ? knownTerms(word) : wordTerms(word)) found.push(term);
    });
    return found;
  };
}

/** Whether to cache the terms of a word. Long words rarely recur, and numbers are quick to read. */
function isRecurring(word: string): boolean {
  return word.length <= 16 && !plainNumber.test(word);
}

/** Whether a term from `terms` is an English word without a topic, such as `the`, `of` or `what`. */
export function isStopword(term: string): boolean {
  return stopwords.has(term);
}

/** Returns the terms of a text without stopwords. */
export function contentTerms(text: string): string[] {
  return terms(text).filter((term) => !stopwords.has(term));
}

/** Two adjacent words of a text, joined as in an identifier such as `_MAXHEADERS`. */
export interface JoinedWords {
  readonly term: string;
  readonly of: readonly [string, string];
}

/** Returns each pair of adjacent words, joined as in an identifier. Omits pairs with a stopword. */
export function joinedWords(text: string): JoinedWords[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).map((word) => word.toLowerCase());
  return words.slice(1).flatMap((word, at): JoinedWords | [] => {
    const [before, after] = [contentTerms(words[at]!)[0], contentTerms(word)[0]];
    const term = terms(words[at]! + word).at(-1);
    return before && after && term ? { term, of: [before, after] } : [];
  });
}

const separator = 0;
const letter = 1;
const joiner = 2;
const ideograph = 3;

const classes = new Int8Array(0x10000).fill(-1);

/** Calls `visit` with every word: letters, digits and single joiners (`.`, `-`, `/`, `\`), or a run of ideographs. */
export function forEachWord(text: string, visit: (word: string) => void): void {
  for (let start = 0; start < text.length; ) {
    const kind = classAt(text, start);
    if (kind !== letter && kind !== ideograph) {
      start++;
      continue;
    }
    const end = kind === letter ? wordEnd(text, start) : ideographsEnd(text, start);
    visit(text.slice(start, end));
    start = end;
  }
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const kind = classAt(text, end);
    if (kind === letter) continue;
    if (kind !== joiner || end + 1 >= text.length || classAt(text, end + 1) !== letter) break;
  }
  return end;
}

function ideographsEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && classAt(text, end) === ideograph) end++;
  return end;
}

function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const known = classes[unit]!;
  return known === -1 ? classify(unit) : known;
}

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  let kind = separator;
  if (/[./\\-]/.test(character)) kind = joiner;
  else if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]/u.test(character)) kind = ideograph;
  else if (/[\p{L}\p{N}\p{M}_]/u.test(character) || (unit >= 0xd800 && unit <= 0xdfff)) kind = letter;
  classes[unit] = kind;
  return kind;
}

const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const plainNumber = /^[0-9][0-9a-z]*$/;
const hasJoiner = /[./\\-]/;
const hyphenated = /^[\p{L}\p{M}-]+$/u;
const hasLetter = /[\p{L}\p{N}]/u;

function createWordReader(stemmer: Stemmer): (word: string) => readonly string[] {
  // The parts of identifiers recur more often than identifiers.
  const stemWord = createMemo(20_000, stemmer);
  const partsOf = (part: string) => identifierTerms(part, stemWord);
  const knownParts = createMemo(10_000, partsOf);
  return (word) => {
    if (plainWord.test(word)) return [stemWord(word.slice(0, maxTermLength).toLowerCase())];
    if (plainNumber.test(word)) return [word.slice(0, maxTermLength)];
    if (classAt(word, 0) === ideograph) return bigrams(word.normalize('NFKC'));
    if (!hasJoiner.test(word)) return partsOf(word);
    const inner = word.split(/[./\\-]/).flatMap((part) => (isRecurring(part) ? knownParts(part) : partsOf(part)));
    return hyphenated.test(word) ? inner : [...inner, fold(word.slice(0, maxTermLength))];
  };
}

function identifierTerms(identifier: string, stemWord: Stemmer): string[] {
  const written = identifier.slice(0, maxTermLength);
  const whole = fold(written);
  const parts = identifierParts(written).filter((part) => part.length > 1 && part.length < written.length);
  if (parts.length > 0) return [...parts.map((part) => stemWord(fold(part))), whole];
  return hasLetter.test(whole) ? [stemWord(whole)] : [];
}

function fold(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

function bigrams(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}
