import { isStopword, terms } from '../../../context/words/terms.ts';
import { families, opposites } from './words.ts';

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

// A dead end ends nothing, and neither does a front end.
const compounds = /\b(dead|front|back|rear|tail|loose)[ -](ends?)\b/gi;

/** The terms of a text. */
export function termsOf(text: string): string[] {
  return terms(withoutControls(text).replace(compounds, '$1$2'));
}

/** Without the parts of versions and other dotted numbers that are there as a whole. */
export function withoutParts(found: readonly string[]): string[] {
  const parts = new Set(found.filter((term) => /^\d+(?:\.\d+)+$/.test(term)).flatMap((term) => term.split('.')));
  return found.filter((term) => !parts.has(term));
}

/** The terms of a text that carry meaning. */
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

/** How nearly two terms say the same: 1 for the same, 0 for unrelated ones. */
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

/** What a function gave for an argument before is not computed again. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
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
    count: (term) => postings.get(term)?.length ?? 0,
  };
}
