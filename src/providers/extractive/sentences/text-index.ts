import { createMemo } from '../../../base/memo.ts';
import { isStopword, terms } from '../../../context/words/terms.ts';
import { families, opposites } from './words.ts';

/** An index of texts by their terms. */
export interface TextIndex {
  readonly size: number;
  /** The terms of each text, in order. */
  readonly terms: readonly (readonly string[])[];
  /** Returns the texts with a term, and how well they match: 1 for the term itself, less for a similar word. */
  find(term: string): ReadonlyMap<number, number>;
  /** Returns how many texts contain exactly that term. */
  count(term: string): number;
}

// In logs, escape sequences and control characters are adjacent to words.
const controls = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Removes terminal escape sequences and control characters, except line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(controls, ' ');
}

// Compounds with "end" that have nothing to do with ending: dead end, front end.
const compounds = /\b(dead|front|back|rear|tail|loose)[ -](ends?)\b/gi;

/** Returns the terms of a text. */
export function termsOf(text: string): string[] {
  return terms(withoutControls(text).replace(compounds, '$1$2'));
}

/** Removes the parts of versions and other dotted numbers that are present as a whole. */
export function withoutParts(found: readonly string[]): string[] {
  const parts = new Set(found.filter((term) => /^\d+(?:\.\d+)+$/.test(term)).flatMap((term) => term.split('.')));
  return found.filter((term) => !parts.has(term));
}

/** Returns the terms of a text without stop words. */
export function contentTerms(text: string): string[] {
  return termsOf(text).filter((term) => !isStopword(term));
}

function membersOf(groups: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of groups) {
    const members = new Set(termsOf(group));
    for (const member of members) found.set(member, new Set([...(found.get(member) ?? []), ...members]));
  }
  return found;
}

const synonyms = membersOf(families);
const antonyms = membersOf(opposites);

const shortestStem = 5;

/** Returns the similarity of two terms: 1 for equal ones, 0 for unrelated ones. */
export function nearness(term: string, other: string): number {
  if (term === other) return 1;
  if (synonyms.get(term)?.has(other)) return 0.8;
  if (antonyms.get(term)?.has(other)) return 0.7;
  const [short, long] = term.length < other.length ? [term, other] : [other, term];
  if (short.length < shortestStem) return 0;
  if (long.startsWith(short)) return 0.7;
  return short.length > shortestStem && long.endsWith(short) ? 0.6 : 0;
}

function postingsOf(texts: readonly (readonly string[])[]): Map<string, number[]> {
  const postings = new Map<string, number[]>();
  for (const [index, words] of texts.entries()) {
    for (const word of words) {
      const places = postings.get(word);
      if (places === undefined) postings.set(word, [index]);
      else if (places.at(-1) !== index) places.push(index);
    }
  }
  return postings;
}

function search(postings: ReadonlyMap<string, readonly number[]>, term: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [word, places] of postings) {
    const near = nearness(term, word);
    if (near === 0) continue;
    for (const place of places) if (near > (found.get(place) ?? 0)) found.set(place, near);
  }
  return found;
}

/** Caches the results of a function by argument. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

const knownTerms = createMemo<readonly string[]>(1_000, termsOf);

/** The terms of a text; a run reads the same sentences for the answer, its match and the next question. */
const recurringTerms = (text: string) => (text.length <= 1_000 ? knownTerms(text) : termsOf(text));

/** Creates an index of texts. */
export function createTextIndex(texts: readonly string[]): TextIndex {
  const all = texts.map(remember(recurringTerms));
  const postings = postingsOf(all);
  return {
    size: texts.length,
    terms: all,
    find: remember((term) => search(postings, term)),
    count: (term) => postings.get(term)?.length ?? 0,
  };
}
