import { isStopword } from '../../../context/words/terms.ts';
import { answerSign } from '../question/answer-type.ts';
import { freshAnswer } from '../question/fresh-answer.ts';
import type { ClauseQuery } from '../question/query.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import { nearness, withoutParts } from '../sentences/text-index.ts';
import { above, type Match, nearEnough, pairsNear, share, shareOfNames } from './match.ts';

/** Features of a sentence as an answer; each 0–1, `frequency` up to 2.2. */
export interface Features {
  /** Share of the clause's words, by rarity, that the sentence or its headings contain. */
  readonly own: number;
  /** BM25 within the sentences, as a share of the score for all words once each. */
  readonly frequency: number;
  /** The score of its passage, as a share of the best passage's; from the search, where there was one. */
  readonly passage: number;
  /** Share of neighbouring words of the clause that are near each other in the sentence, in any order. */
  readonly near: number;
  /** How strongly it looks like the requested kind of answer. */
  readonly sign: number;
  /** Share of the clause's words that only the sentence before or after it contains. */
  readonly beside: number;
  /** Share of the clause's names that its paragraph contains; 0 when there are none. */
  readonly named: number;
  /** Whether it contains something of the requested kind that the question lacks. */
  readonly fresh: number;
}

/** Features of the match of a sentence. */
export interface MatchFeatures {
  /** Share of the clause's words, by rarity, that it or its headings contain, 0–1. */
  readonly own: number;
  /** Share of the clause's names that its passage contains, with rare ones weighing most; 1 when there are none. */
  readonly named: number;
  /** Number of the clause's words that it, its neighbours or its headings contain. */
  readonly words: number;
  /** The same without words that name the kind of answer. */
  readonly told: number;
  /** As in `Features`. */
  readonly fresh: number;
  /** 1 when only one of sentence and clause is negated; else 0. */
  readonly negated: number;
}

/** Weight of a passage's words relative to its score in a search over the whole text. */
const ofWords = 0.5;
const k1 = 1.2;
const b = 0.75;

/** Scores passages by the search, or else by their words, where the whole text was read. */
function scorePassages({ sentences }: SentenceIndex, matches: readonly Match[]): ReadonlyMap<string, number> {
  const scores = new Map(sentences.map(({ passage }) => [passage.id, Math.max(0, passage.score)]));
  const isSearched = [...scores.values()].some((score) => score > 0);
  if (!isSearched) {
    for (const { weight, own } of matches) {
      const counts = new Map<string, number>();
      for (const [number, near] of own) {
        const { id } = sentences[number]!.passage;
        counts.set(id, (counts.get(id) ?? 0) + near);
      }
      for (const [id, count] of counts) scores.set(id, scores.get(id)! + (weight * count * (k1 + 1)) / (count + k1));
    }
  }
  const best = Math.max(Number.MIN_VALUE, ...scores.values());
  return new Map([...scores].map(([id, score]) => [id, (isSearched ? 1 : ofWords) * (score / best)]));
}

/** Returns how well a sentence, or its headings, match a word. */
const has = ({ own, around }: Match, number: number): number =>
  Math.max(own.get(number) ?? 0, (around.get(number) ?? 0) * above);

/** Returns how well each paragraph matches a word, by paragraph number. */
function paragraphsOf({ own }: Match, { paragraphs }: SentenceIndex): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [number, near] of own) {
    const paragraph = paragraphs[number]!;
    found.set(paragraph, Math.max(near, found.get(paragraph) ?? 0));
  }
  return found;
}

/** Creates the function that returns a sentence's features, by index. */
export function createFeatureReader(query: ClauseQuery, index: SentenceIndex, matches: readonly Match[]) {
  const { sentences, own } = index;
  const average = own.terms.reduce((sum, words) => sum + words.length, 0) / Math.max(1, own.size);
  const passageScore = scorePassages(index, matches);
  const names = matches
    .filter(({ name }) => name)
    .map((match) => ({ ...match, paragraphs: paragraphsOf(match, index) }));
  return (number: number): Features => {
    const sentence = sentences[number]!;
    const words = own.terms[number]!;
    const { stretch } = sentence;
    const length = k1 * (1 - b + (b * words.length) / average);
    const beside = ({ own: places }: Match, at: number) =>
      sentences[at]?.stretch === stretch ? (places.get(at) ?? 0) : 0;
    return {
      own: share(matches, (match) => has(match, number)),
      frequency: share(matches, (match) => {
        const near = has(match, number);
        const times = match.own.get(number) === 1 ? words.filter((word) => word === match.term).length : near;
        return (times * (k1 + 1)) / (times + length);
      }),
      passage: passageScore.get(sentence.passage.id) ?? 0,
      near: pairsNear(query.sequence, words),
      sign: answerSign(query, sentence),
      beside: share(matches, (match) =>
        Math.max(0, Math.max(beside(match, number - 1), beside(match, number + 1)) - has(match, number)),
      ),
      named: share(names, ({ paragraphs }) => paragraphs.get(index.paragraphs[number]!) ?? 0),
      fresh: freshAnswer(query.asked, sentence.text),
    };
  };
}

/** Returns the share of the words of a title or a lead-in that the question contains; 0 for other sentences. */
export function titleShare(number: number, { terms }: ClauseQuery, { leads, own }: SentenceIndex): number {
  const lead = leads.get(number);
  if (lead === undefined || lead.kind === 'reply') return 0;
  const words = withoutParts(own.terms[number]!).filter((word) => !isStopword(word));
  const had = words.filter((word) =>
    terms.some(
      ({ term, soft }) =>
        !soft && (own.find(term).get(number) ?? 0) >= nearEnough && nearness(term, word) >= nearEnough,
    ),
  );
  return words.length === 0 ? 0 : had.length / words.length;
}

const isNegated = (text: string): boolean => /\b(?:not|never|no|without|none|neither)\b|n['’]t\b/i.test(text);

/** Matched words that a title counts as whose words are all in the question. */
const asTitle = 2;

/** Creates the function that returns a sentence's match features, by index. */
export function createMatchReader(query: ClauseQuery, index: SentenceIndex, matches: readonly Match[]) {
  const { sentences } = index;
  const hard = matches.filter(({ soft }) => !soft);
  const names = matches.filter(({ name }) => name);
  return (number: number): MatchFeatures => {
    const sentence = sentences[number]!;
    const at = (places: ReadonlyMap<number, number>, other: number) =>
      sentences[other]?.stretch === sentence.stretch ? (places.get(other) ?? 0) : 0;
    const had = hard.filter(
      ({ own, around }) =>
        Math.max(at(own, number), at(own, number - 1), at(own, number + 1), at(around, number)) >= nearEnough,
    );
    const least = titleShare(number, query, index) === 1 ? asTitle : 0;
    return {
      own: share(matches, (match) => has(match, number)),
      named: shareOfNames(names, number, sentence),
      words: Math.max(had.length, least),
      told: Math.max(had.filter(({ kind }) => !kind).length, least),
      fresh: freshAnswer(query.asked, sentence.text),
      negated: isNegated(sentence.text) === isNegated(query.asked) ? 0 : 1,
    };
  };
}
