import type { ClauseQuery } from '../question/query.ts';
import { rarity } from './match.ts';
import type { Candidate } from './rank.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';

/** How many to choose, and how. */
export interface Wanted {
  readonly limit: number;
  /** Down to this share of the best score. */
  readonly share?: number;
  /** Rather from several sources than from one. */
  readonly spread?: boolean;
}

const alike = 0.8;
const enoughOfBest = 0.8;
const asTelling = 0.75;
const enoughWhenNew = 0.5;
const repetition = 0.25;
const newWords = 0.35;
const muchNew = 0.3;
const sameSource = 0.15;
const considered = 60;
const exactEnough = 0.7;

/** A candidate with the words in it: numbers apart, or every log line would be new. */
interface Option {
  readonly candidate: Candidate;
  readonly words: ReadonlySet<string>;
  /** Which of the clause's words it has. */
  readonly has: readonly number[];
}

function overlap(one: Sentence, other: Sentence): boolean {
  return one.passage.id === other.passage.id && one.start < other.end && other.start < one.end;
}

/** Share of the smaller set of words that both have. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / small.size;
}

/** The words of a clause with what each of them counts of all: rare ones more. */
function weighWords(query: ClauseQuery, { own }: SentenceIndex) {
  const words = [...query.about].map((term) => own.find(term));
  const weights = words.map(({ size }) => rarity(size, own.size));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return words.map((places, number) => ({ places, weight: weights[number]! / total }));
}

/** The best candidates that are not too much like each other and together have the most of the question; best first. */
export function mostUseful(
  candidates: readonly Candidate[],
  query: ClauseQuery,
  index: SentenceIndex,
  { limit, share = enoughOfBest, spread = false }: Wanted,
): Candidate[] {
  const { score: best = 0, sign: bestSign = 0 } = candidates[0] ?? {};
  const near = candidates
    .filter(({ score, sign }) => score >= best * Math.min(share, enoughWhenNew) && sign >= bestSign * asTelling)
    .slice(0, considered);
  const chosen: Option[] = [];
  const had = new Set<number>();
  const asked = weighWords(query, index);
  const toOption = (candidate: Candidate): Option => ({
    candidate,
    words: new Set(index.own.terms[candidate.index]!.filter((word) => !/^[\d.:]+$/.test(word))),
    has: [...asked.keys()].filter((word) => (asked[word]!.places.get(candidate.index) ?? 0) >= exactEnough),
  });
  const freshness = ({ has }: Option): number =>
    has.reduce((sum, word) => (had.has(word) ? sum : sum + asked[word]!.weight), 0);
  const fits = (option: Option): boolean =>
    option.candidate.score >= best * (freshness(option) >= muchNew ? enoughWhenNew : share) &&
    chosen.every(
      ({ candidate, words }) =>
        likeness(words, option.words) < alike && !overlap(candidate.sentence, option.candidate.sentence),
    );
  const value = (option: Option): number => {
    const { source } = option.candidate.sentence.passage;
    const repeated = chosen.filter(({ candidate }) => candidate.sentence.passage.source === source).length;
    const same = Math.max(0, ...chosen.map(({ words }) => likeness(words, option.words)));
    const again = repetition * same + (spread ? sameSource * repeated : 0);
    return option.candidate.score + (chosen.length > 0 ? newWords * freshness(option) : 0) - again;
  };
  let rest = near.map(toOption);
  while (chosen.length < limit) {
    rest = rest.filter(fits);
    const values = rest.map(value);
    const next = rest[values.indexOf(Math.max(...values))];
    if (next === undefined) break;
    chosen.push(next);
    for (const word of next.has) had.add(word);
  }
  return chosen.map(({ candidate }) => candidate);
}
