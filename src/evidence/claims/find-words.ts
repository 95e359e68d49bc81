import { readSentences, type Sentence } from '../../context/sentences/sentences.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Passage } from '../../state.ts';
import { readValues } from '../values.ts';

interface Span {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
}

const mostSentences = 3;
const worthAdding = 0.15;
/** Weight of the question's terms; the claim's terms have weight 1. */
const questionWeight = 0.3;
/** Minimum share of a claim's terms that sentences must have, weighted by rarity. A claim of few terms needs all. */
const leastCovered = 0.6;
const fewTerms = 3;
const allCovered = 0.99;

interface ReadSentence extends Sentence {
  readonly terms: ReadonlySet<string>;
}

/**
 * Returns the one to three sentences of a passage that contain all numbers of `text` and share the most terms with
 * `text`. Null if no sentences share enough terms.
 * @param question a text whose terms count less; may be empty.
 */
export type FindSupport = (text: string, question: string) => Span | null;

/** Creates a search for the sentences in passages that support a text. */
export function createSupportFinder(passages: readonly Passage[]): FindSupport {
  const sentences = readSentences(passages).map(
    (sentence): ReadSentence => ({ ...sentence, terms: new Set(contentTerms(sentence.text)) }),
  );
  const counts = new Map<string, number>();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const rarity = (term: string) => Math.log((sentences.length + 1) / ((counts.get(term) ?? 0) + 0.5));

  /** Returns the share of the terms that the sentences have, weighted by rarity, 0–1. */
  function coverage(terms: ReadonlySet<string>, run: readonly ReadSentence[]): number {
    let [found, all] = [0, 0];
    for (const term of terms) {
      const weight = Math.max(0.1, rarity(term));
      all += weight;
      if (run.some((sentence) => sentence.terms.has(term))) found += weight;
    }
    return all === 0 ? 0 : found / all;
  }

  function spanOf(run: readonly ReadSentence[]): Span {
    const [first, last] = [run[0]!, run.at(-1)!];
    const start = first.start + (first.text.length - first.text.trimStart().length);
    return { passage: first.passage, start, end: last.start + last.text.trimEnd().length };
  }

  return (text, question) => {
    const terms = new Set(contentTerms(text));
    const asked = new Set(contentTerms(question).filter((term) => !terms.has(term)));
    const { numbers } = readValues(text);
    const least = terms.size <= fewTerms ? allCovered : leastCovered;
    let best: { readonly span: Span; readonly score: number } | null = null;
    for (const [at, { passage, terms: own }] of sentences.entries()) {
      if (![...terms].some((term) => own.has(term))) continue;
      for (let length = 1; length <= mostSentences; length++) {
        const run = sentences.slice(at, at + length);
        if (run.length < length || run.at(-1)!.passage !== passage) break;
        const covered = coverage(terms, run);
        const answering = coverage(asked, run);
        const score = covered + questionWeight * answering - worthAdding * (length - 1);
        if (covered < least || score <= (best?.score ?? 0)) continue;
        if (terms.size === 1 && asked.size > 0 && answering === 0) continue;
        const span = spanOf(run);
        const there = readValues(passage.text.slice(span.start, span.end)).numbers;
        if ([...numbers].every((number) => there.has(number))) best = { span, score };
      }
    }
    return best?.span ?? null;
  };
}

/**
 * Returns the share of a question's terms that occur in passages or their headings. The divisor is the number of the
 * question's terms plus one.
 */
export function coverageOf(question: string, passages: readonly Passage[]): number {
  const asked = new Set(contentTerms(question));
  const found = new Set(passages.flatMap(({ text, under = [] }) => contentTerms([text, ...under].join('\n'))));
  return [...asked].filter((term) => found.has(term)).length / (asked.size + 1);
}
