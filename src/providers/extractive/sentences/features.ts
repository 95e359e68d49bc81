import { answerSign } from '../question/answer-type.ts';
import type { ClauseQuery } from '../question/query.ts';
import { above, type Match, pairsNear, share } from './match.ts';
import type { SentenceIndex } from './sentence-index.ts';

/** What speaks for a sentence as an answer; each 0–1, `frequency` up to 2.2. */
export interface Features {
  /** Share of the clause's words, by rarity, that the sentence or what it stands under has. */
  readonly own: number;
  /** BM25 within the sentences, as a share of what all words would give once each. */
  readonly frequency: number;
  /** The score of its passage, as a share of the best one's; that of the search, where there was one. */
  readonly passage: number;
  /** Share of neighbouring words of the clause that stand near each other in the sentence, in their order or not. */
  readonly near: number;
  /** How much it looks like the kind of answer that is asked for. */
  readonly sign: number;
  /** Share of the words that only the sentence before or after it has. */
  readonly beside: number;
}

/** What the words of a passage tell, of what a search over all of the text tells. */
const ofWords = 0.5;
const k1 = 1.2;
const b = 0.75;

/** By what a passage scored in the search, or else by the words in it: then all of the text was read. */
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

/** Reads what speaks for each sentence of an index, by its number. */
export function createFeatureReader(query: ClauseQuery, index: SentenceIndex, matches: readonly Match[]) {
  const { sentences, own } = index;
  const average = own.terms.reduce((sum, words) => sum + words.length, 0) / Math.max(1, own.size);
  const passageScore = scorePassages(index, matches);
  return (number: number): Features => {
    const sentence = sentences[number]!;
    const words = own.terms[number]!;
    const { stretch } = sentence;
    const length = k1 * (1 - b + (b * words.length) / average);
    const beside = ({ own: places }: Match, at: number) =>
      sentences[at]?.stretch === stretch ? (places.get(at) ?? 0) : 0;
    const has = (match: Match) => Math.max(match.own.get(number) ?? 0, (match.around.get(number) ?? 0) * above);
    return {
      own: share(matches, has),
      frequency: share(matches, (match) => {
        const near = has(match);
        const times = match.own.get(number) === 1 ? words.filter((word) => word === match.term).length : near;
        return (times * (k1 + 1)) / (times + length);
      }),
      passage: passageScore.get(sentence.passage.id) ?? 0,
      near: pairsNear(query.sequence, words),
      sign: answerSign(query, sentence),
      beside: share(matches, (match) =>
        Math.max(0, Math.max(beside(match, number - 1), beside(match, number + 1)) - has(match)),
      ),
    };
  };
}
