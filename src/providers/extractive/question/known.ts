import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import { contentTerms } from '../sentences/text-index.ts';

/** What earlier answers say: the terms in them, and the passages they cite. */
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

/** Several as one. */
export function joinKnown(all: readonly Known[]): Known {
  return {
    terms: new Set(all.flatMap((known) => [...known.terms])),
    passages: new Set(all.flatMap((known) => [...known.passages])),
  };
}

/** Without the words that are in so many sentences that sharing them means nothing. */
export function sharpen(known: Known, { own }: SentenceIndex): Known {
  const most = Math.max(8, own.size * common);
  return { ...known, terms: new Set([...known.terms].filter((term) => own.count(term) <= most)) };
}

/** How much a sentence takes up what is known: 0 to 1. Lines of a log stand side by side by chance. */
export function relation(known: Known, sentence: Sentence, words: readonly string[]): number {
  if (known.terms.size === 0) return 0;
  const shared = new Set(words.filter((word) => known.terms.has(word))).size;
  return shared === 0
    ? 0
    : Math.min(1, (sentence.kind !== 'log' && known.passages.has(sentence.passage.id) ? 0.4 : 0) + shared / 5);
}
