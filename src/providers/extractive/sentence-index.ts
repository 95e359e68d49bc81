import { createMemo } from '../../base/memo.ts';
import { readSentences, type Sentence } from '../../context/sentences/sentences.ts';
import { isStopword, terms } from '../../context/words/terms.ts';
import type { Passage } from '../../state.ts';
import { readLeads } from './leads.ts';

// In logs, escape sequences and control characters may be adjacent to words.
const controls = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Replaces terminal escape sequences and control characters, except line feeds and tabs, with spaces. */
export const withoutControls = (text: string): string => text.replace(controls, ' ');

export const termsOf = (text: string): string[] => terms(withoutControls(text));

/** Returns the terms of a text without stop words. */
export const sentenceTerms = (text: string): string[] => termsOf(text).filter((term) => !isStopword(term));

/** Removes the parts of dotted numbers from a list of terms: `2` and `0` if the list also contains `2.0`. */
export function withoutParts(found: readonly string[]): string[] {
  const parts = new Set(found.filter((term) => /^\d+(?:\.\d+)+$/.test(term)).flatMap((term) => term.split('.')));
  return found.filter((term) => !parts.has(term));
}

/**
 * Groups of related words, one group per line: synonyms, forms of a word, or a word of a question and a word of its
 * answer.
 */
const families = `
  fail failed failure error err crash fatal exception panic broke broken break abort aborted die died wrong outage
  start begin began launch boot run running
  stop end exit terminate shutdown
  end recover recovered recovery resolved restored
  slow latency delay slowdown
  fix fixed resolve resolved repair mitigate mitigated restore restored recover recovered solve
  delete remove removed drop erase purge wipe
  keep kept retain retained retention hold held
  change modify update updated edit
  deploy deployment release rollout
  outage incident downtime
  configure config configuration setting option
  install setup installation
  author wrote written writer
  buy bought purchase
  pay paid payment
  send sent
  lose lost loss
  find found
  give gave given
  take took taken
  make made
  build built
  leave left
  choose chose chosen
  say said told tell
  rise rose risen grow grew grown increase
  fall fell fallen decrease reduce drop
  compute computed calculate calculated calculation computation
  approve approval agree agreement consent
  big large size
  holiday vacation leave
  price cost charge
  maximum max most
  minimum min least
  refuse refused decline declined reject rejected
  reimburse refund repay pay paid
  emit emitted fire fired raise
  happen happened occur occurred
  mislead misled deceive
`;

const relatives = new Map<string, Set<string>>();
for (const group of families.trim().split('\n').map(termsOf))
  for (const term of group) relatives.set(term, new Set([...(relatives.get(term) ?? []), ...group]));

const shortestStem = 5;

/** Returns the similarity of two terms, 0–1. */
export function nearness(term: string, other: string): number {
  if (term === other) return 1;
  if (relatives.get(term)?.has(other)) return 0.8;
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

const termCacheSize = 1_000;

const termsMemo = createMemo<readonly string[]>(1_000, termsOf);

/** Returns terms from a cache, because a run indexes a sentence for the answer, its confidence and later questions. */
const cachedTermsOf = (text: string) => (text.length <= 1_000 ? termsMemo(text) : termsOf(text));

function createSentenceIndex(texts: readonly string[]) {
  const all: readonly (readonly string[])[] = texts.map(cachedTermsOf);
  const postings = postingsOf(all);
  return {
    size: texts.length,
    terms: all,
    /** Returns the texts with a term, and how well they match: 1 for the term itself, less for a similar word. */
    find: createMemo(termCacheSize, (term): ReadonlyMap<number, number> => search(postings, term)),
    count: (term: string) => postings.get(term)?.length ?? 0,
  };
}

function indexSurroundings(sentences: readonly Sentence[]) {
  const texts = createSentenceIndex(sentences.map(({ under, passage }) => `${under} ${passage.source}`));
  const none: ReadonlyMap<number, number> = new Map();
  // Ignores a word that is in the headings or the source name of every sentence, such as the name of the only source.
  return { find: (term: string) => (texts.find(term).size === sentences.length ? none : texts.find(term)) };
}

/** Whether a sentence is in the paragraph of the previous sentence. A paragraph continues in an adjoining passage. */
function continuesParagraph(sentence: Sentence, before: Sentence): boolean {
  if (before.passage !== sentence.passage) return before.stretch === sentence.stretch;
  return !/\n\s*\n/.test(
    sentence.passage.text.slice(Math.max(0, before.end - 1), sentence.start) + sentence.text.slice(0, 2),
  );
}

function numberParagraphs(sentences: readonly Sentence[]): number[] {
  let paragraph = 0;
  return sentences.map((sentence, number) => {
    const before = sentences[number - 1];
    if (before !== undefined && !continuesParagraph(sentence, before)) paragraph += 1;
    return paragraph;
  });
}

export type SentenceIndex = ReturnType<typeof indexSentences>;

/** Indexes the sentences of passages. */
export function indexSentences(passages: readonly Passage[]) {
  const sentences: readonly Sentence[] = readSentences(passages);
  return {
    sentences,
    own: createSentenceIndex(sentences.map((sentence) => sentence.text)),
    around: indexSurroundings(sentences),
    paragraphs: numberParagraphs(sentences),
    leads: readLeads(sentences),
  };
}
