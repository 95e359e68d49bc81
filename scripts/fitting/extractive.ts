/** Fits the weights of the extractive provider, and measures them. */
import { contentTerms } from '../../src/context/words/terms.ts';
import { answerFromPassages } from '../../src/providers/extractive/answer.ts';
import { createFeatureReader, type Features, matchOf, matchTerms } from '../../src/providers/extractive/features.ts';
import { quotedMatch } from '../../src/providers/extractive/prompts.ts';
import { type ClauseQuery, readQuery } from '../../src/providers/extractive/query.ts';
import { rankSentences } from '../../src/providers/extractive/rank.ts';
import { indexSentences, type SentenceIndex } from '../../src/providers/extractive/sentence-index.ts';
import { type Case, holds } from './cases.ts';
import { type Choice, fitChoices, fitOdds, type Labelled } from './logit.ts';

export const features = [
  'own',
  'frequency',
  'passage',
  'near',
  'beside',
  'named',
  'fresh',
] as const satisfies (keyof Features)[];
export const matchFeatures = ['own', 'named', 'words', 'fresh', 'negated'] as const;
const mostWords = 6;

/** Data for the fits: for the rank if the question has an answer, for the match if a sentence is found. */
export interface Reading {
  readonly choice: Choice | null;
  readonly example: Labelled | null;
}

/** Reads a case once for both fits, because reading its sentences takes most of the time. */
export function readCase(one: Case): Reading {
  const query = readQuery(one.question);
  const index = indexSentences(one.passages);
  return {
    choice: one.answers.length > 0 ? choiceOf(one, query, index) : null,
    example: exampleOf(one, query, index),
  };
}

function choiceOf({ answers, spot }: Case, query: ClauseQuery, index: SentenceIndex): Choice {
  const read = createFeatureReader(query, index, matchTerms(query, index));
  const values = index.sentences.map((_, number) => {
    const all = read(number);
    return features.map((name) => all[name]);
  });
  const right = index.sentences.map(
    ({ text, passage }) => holds(text, answers) && (spot === null || passage.text.includes(spot)),
  );
  return { values, right };
}

function exampleOf({ answers }: Case, query: ClauseQuery, index: SentenceIndex): Labelled | null {
  const [best] = rankSentences(query, index);
  if (best === undefined) return null;
  const { own, named, words, fresh, negated } = best.matched;
  const values = [own, named, Math.min(words, mostWords), fresh, negated];
  return { values, isRight: holds(best.sentence.text, answers) };
}

/** Fits the weights of the rank, in the order of `features`. */
export const fitRank = (readings: readonly Reading[]): number[] =>
  fitChoices(
    readings.flatMap(({ choice }) => choice ?? []),
    features.length,
  );

/** Fits the curve of the match: the constant, then the weights in the order of `matchFeatures`. */
export const fitMatch = (readings: readonly Reading[]): number[] =>
  fitOdds(
    readings.flatMap(({ example }) => example ?? []),
    matchFeatures.length,
  );

/** Returns the answer of the provider, with the features of its match. */
export function answerOf({ question, passages }: Case) {
  const { answer, citations } = answerFromPassages({ question, passages });
  const lines =
    citations.length === 0
      ? []
      : answer.split('\n').flatMap((line) => (/ \[P\d+\]$/.test(line) ? line.replace(/ \[P\d+\]$/, '') : []));
  const cited = passages.filter(({ id }) => citations.some(({ passage }) => passage === id));
  const matched = cited.length === 0 ? null : quotedMatch(question, answer, cited);
  return { lines, matched, match: matched === null ? 0 : matchOf(matched) };
}

const simpleSentences = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?]["')\]]?)\s+(?=[A-Z"([])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\w/.test(sentence));

/** Creates the baseline: plain BM25 over all sentences of the texts. */
export function createSimpleQuoter(texts: readonly string[]): (question: string, count: number) => string[] {
  const sentences = texts.flatMap(simpleSentences);
  const counts = sentences.map((sentence) => {
    const found = new Map<string, number>();
    for (const term of contentTerms(sentence)) found.set(term, (found.get(term) ?? 0) + 1);
    return found;
  });
  const lengths = counts.map((found) => [...found.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const having = new Map<string, number>();
  for (const found of counts) for (const term of found.keys()) having.set(term, (having.get(term) ?? 0) + 1);
  const weigh = (term: string, place: number): number => {
    const count = counts[place]!.get(term) ?? 0;
    const texts = having.get(term) ?? 0;
    const rarity = Math.log(1 + (sentences.length - texts + 0.5) / (texts + 0.5));
    return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[place]!) / average));
  };
  return (question, count) => {
    const terms = [...new Set(contentTerms(question))];
    const scored = sentences.map((sentence, place) => ({
      sentence,
      score: terms.reduce((sum, term) => sum + weigh(term, place), 0),
    }));
    return scored
      .sort((one, other) => other.score - one.score)
      .slice(0, count)
      .map(({ sentence }) => sentence);
  };
}
