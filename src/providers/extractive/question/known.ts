import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import { contentTerms } from '../sentences/text-index.ts';

/** The content of earlier answers: their terms, and the passages that they cite. */
export interface Known {
  readonly terms: ReadonlySet<string>;
  readonly passages: ReadonlySet<string>;
}

const mostTerms = 60;
const mark = /\[(P\d+)\]/g;
const common = 0.2;
const numeric = /^[\d.:tz]+$/;

/** Reads answers whose sentences are marked with their passages. */
export function knownFrom(answers: readonly string[]): Known {
  const words = answers.flatMap((answer) => contentTerms(answer.replace(mark, ' ')));
  return {
    terms: new Set(words.filter((word) => !numeric.test(word)).slice(0, mostTerms)),
    passages: new Set(answers.flatMap((answer) => [...answer.matchAll(mark)].map((found) => found[1] ?? ''))),
  };
}

/** Joins known content. */
export function joinKnown(all: readonly Known[]): Known {
  return {
    terms: new Set(all.flatMap((known) => [...known.terms])),
    passages: new Set(all.flatMap((known) => [...known.passages])),
  };
}

/** Removes words that are in so many sentences that sharing them means nothing. */
export function sharpen(known: Known, { own }: SentenceIndex): Known {
  const most = Math.max(8, own.size * common);
  return { ...known, terms: new Set([...known.terms].filter((term) => own.count(term) <= most)) };
}

/**
 * Returns how strongly a sentence relates to what is known, 0–1. The position of log lines is ignored, since
 * neighbours are unrelated.
 */
export function relation(known: Known, sentence: Sentence, words: readonly string[]): number {
  if (known.terms.size === 0) return 0;
  const shared = new Set(words.filter((word) => known.terms.has(word))).size;
  return shared === 0
    ? 0
    : Math.min(1, (sentence.kind !== 'log' && known.passages.has(sentence.passage.id) ? 0.4 : 0) + shared / 5);
}
