import type { ClauseQuery } from './query.ts';
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
const enoughOfBest = 0.72;
const enoughWhenNew = 0.58;
const repetition = 0.25;
const newWords = 0.2;
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

function createOptions(query: ClauseQuery, index: SentenceIndex): (candidate: Candidate) => Option {
  const places = [...query.about].map((term) => index.own.find(term));
  return (candidate) => ({
    candidate,
    words: new Set(index.own.terms[candidate.index]!.filter((word) => !/^[\d.:]+$/.test(word))),
    has: [...places.keys()].filter((number) => (places[number]!.get(candidate.index) ?? 0) >= exactEnough),
  });
}

/** The best candidates that are not too much like each other and together have the most of the question; best first. */
export function mostUseful(
  candidates: readonly Candidate[],
  query: ClauseQuery,
  index: SentenceIndex,
  { limit, share = enoughOfBest, spread = false }: Wanted,
): Candidate[] {
  const best = candidates[0]?.score ?? 0;
  const near = candidates.filter(({ score }) => score >= best * Math.min(share, enoughWhenNew)).slice(0, considered);
  const chosen: Option[] = [];
  const had = new Set<number>();
  const freshness = ({ has }: Option): number => has.filter((word) => !had.has(word)).length / (query.about.size || 1);
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
  let rest = near.map(createOptions(query, index));
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
