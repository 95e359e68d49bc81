import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { contentTerms, joinedWords } from '../../context/words/terms.ts';
import type { Query } from '../retriever.ts';
import { createIndexBuilder, createPostings, type Postings } from './postings.ts';
import type { Analyse } from './term-counter.ts';

/** How the lexical retriever reads and ranks text; `docs/decisions/0012-lexical-retrieval.md` shows the effects. */
export interface Ranking {
  readonly analyse: Analyse;
  /** With a higher value, repeated occurrences of a term in a chunk count more. */
  readonly k1: number;
  /** How strongly scores are normalised by chunk length, 0–1. */
  readonly b: number;
  /** Weight of a match in the document's name, relative to a match in its text. */
  readonly nameWeight: number;
  /** A document's first line is counted this many additional times, because it is usually the title. */
  readonly titleRepeats: number;
  /** Whether a chunk of code or YAML is also found by its document's name and its enclosing definitions or keys. */
  readonly countsSurroundings: boolean;
  readonly weighsRepeats: boolean;
  /** Weight of a term of the query's focus; a term of its text weighs 1. */
  readonly focusWeight: number;
  /** Weight of two adjacent words of the query, joined to one term. */
  readonly joinedWeight: number;
}

export const shippedRanking: Ranking = {
  analyse: contentTerms,
  k1: 1.2,
  b: 0.75,
  nameWeight: 0.25,
  titleRepeats: 2,
  countsSurroundings: true,
  weighsRepeats: true,
  focusWeight: 0.2,
  joinedWeight: 1,
};

/** Returns each term of a query with its weight. */
export function queryWeights({ text, focus = '' }: Pick<Query, 'text' | 'focus'>, ranking: Ranking) {
  const { analyse, weighsRepeats, focusWeight, joinedWeight } = ranking;
  const counts = new Map<string, number>();
  for (const term of analyse(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const own = [...counts].map(([term, count]) => [term, weighsRepeats ? 1 + Math.log(count) : 1] as const);
  const joined = joinedWords(text).map(({ term }) => [term, joinedWeight] as const);
  return new Map([...analyse(focus).map((term) => [term, focusWeight] as const), ...joined, ...own]);
}

type Weights = ReadonlyMap<string, number>;

type AddScores = (scores: Float64Array, weights: Weights) => void;

/** Creates BM25 scoring over postings (Robertson and Zaragoza, 2009). */
export function createBm25(postings: Postings, { k1, b }: Pick<Ranking, 'k1' | 'b'>): AddScores {
  const { chunkCount, lengths, averageLength } = postings;
  const penalties = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / averageLength));
  const addTerm = (scores: Float64Array, term: string, weight: number) => {
    const { chunks, frequencies } = postings.lookUp(term);
    const factor = weight * inverseFrequency(chunks.length, chunkCount) * (k1 + 1);
    for (let entry = 0; entry < chunks.length; entry++) {
      const chunk = chunks[entry]!;
      const frequency = frequencies[entry]!;
      scores[chunk]! += (factor * frequency) / (frequency + penalties[chunk]!);
    }
  };
  return (scores, weights) => {
    for (const [term, weight] of weights) addTerm(scores, term, weight);
  };
}

/** Returns the inverse document frequency of a term that `holders` of `all` chunks contain. It is above 0. */
export function inverseFrequency(holders: number, all: number): number {
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}

/** Creates a function that raises the scores of chunks whose document's name contains terms of the query. */
export function createNameScores(store: ContextStore, ranking: Ranking): AddScores {
  const names = createIndexBuilder(ranking.analyse);
  for (const { name } of store.documents) {
    if (!(ranking.countsSurroundings && isCodeName(name))) names.count(Buffer.from(name));
    names.endChunk();
  }
  const postings = createPostings(names.finish());
  const bonuses = new Float64Array(postings.chunkCount);
  return (scores, weights) => {
    bonuses.fill(0);
    for (const [term, weight] of weights) addBonus(bonuses, postings, term, weight * ranking.nameWeight);
    if (!bonuses.some((bonus) => bonus > 0)) return;
    for (let at = 0; at < scores.length; at++) scores[at]! += bonuses[store.chunk(at).document]!;
  };
}

function addBonus(bonuses: Float64Array, names: Postings, term: string, weight: number): void {
  const { chunks: documents } = names.lookUp(term);
  if (documents.length === names.chunkCount) return;
  const bonus = weight * inverseFrequency(documents.length, names.chunkCount);
  for (const document of documents) bonuses[document]! += bonus;
}
