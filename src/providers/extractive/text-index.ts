import { isStopword, terms } from '../../context/terms.ts';
import { families } from './words.ts';

/** Texts by the terms in them. */
export interface TextIndex {
  readonly size: number;
  /** The terms of each text, in order. */
  readonly terms: readonly (readonly string[])[];
  /** Which texts have the term, and how well: 1 for the term itself, less for a word near it. */
  find(term: string): ReadonlyMap<number, number>;
  /** How many texts have exactly that term. */
  count(term: string): number;
}

// Escape sequences and control characters stick to the words beside them in logs.
const controls = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text without terminal escape sequences and control characters, line breaks and tabs aside. */
export function withoutControls(text: string): string {
  return text.replace(controls, ' ');
}

/** The terms of a text. */
export function termsOf(text: string): string[] {
  return terms(withoutControls(text));
}

/** The terms of a text that carry meaning. */
export function contentTerms(text: string): string[] {
  return termsOf(text).filter((term) => !isStopword(term));
}

const sameFamily = new Map<string, Set<string>>();
for (const family of families) {
  const members = new Set(termsOf(family));
  for (const member of members) sameFamily.set(member, new Set([...(sameFamily.get(member) ?? []), ...members]));
}

/** Whether two terms stand for each other: `fail` and `crash`. */
export function areSynonyms(one: string, other: string): boolean {
  return sameFamily.get(one)?.has(other) ?? false;
}

const shortestStem = 5;

function nearness(term: string, other: string): number {
  if (term === other) return 1;
  if (areSynonyms(term, other)) return 0.8;
  const [short, long] = term.length < other.length ? [term, other] : [other, term];
  if (short.length < shortestStem) return 0;
  if (long.startsWith(short)) return 0.7;
  return short.length > shortestStem && long.endsWith(short) ? 0.6 : 0;
}

function postingsOf(texts: readonly (readonly string[])[]): Map<string, Set<number>> {
  const postings = new Map<string, Set<number>>();
  texts.forEach((words, index) => {
    for (const word of words) {
      const places = postings.get(word);
      if (places === undefined) postings.set(word, new Set([index]));
      else places.add(index);
    }
  });
  return postings;
}

function search(postings: ReadonlyMap<string, ReadonlySet<number>>, term: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [word, places] of postings) {
    const near = nearness(term, word);
    if (near === 0) continue;
    for (const place of places) if (near > (found.get(place) ?? 0)) found.set(place, near);
  }
  return found;
}

/** What a function gave for an argument before is not computed again. */
function remember<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

/** Makes an index over texts. */
export function createTextIndex(texts: readonly string[]): TextIndex {
  const all = texts.map(remember(termsOf));
  const postings = postingsOf(all);
  return {
    size: texts.length,
    terms: all,
    find: remember((term) => search(postings, term)),
    count: (term) => postings.get(term)?.size ?? 0,
  };
}
