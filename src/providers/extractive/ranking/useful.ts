import type { Sentence } from '../../../context/sentences/sentences.ts';
import { needsSign } from '../question/answer-type.ts';
import type { ClauseQuery } from '../question/query.ts';
import { collapse } from '../sentences/quote.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import type { Candidate } from './candidate.ts';
import { byTime } from './order.ts';

/** How many candidates to choose, and how. */
export interface Wanted {
  readonly limit: number;
  /** Least score, as a share of the best one. */
  readonly share?: number;
  /** Whether to prefer several sources to one. */
  readonly spread?: boolean;
}

const alike = 0.8;
const enoughOfBest = 0.6;
const asTelling = 0.75;
const asLikely = 0.4;
/** Least probability for changes, relative to the best: every line about changes in a log has the words for them. */
const asLikelyChange = 0.75;
const sameSource = 0.15;
const considered = 60;
/** Characters after which no further sentence is quoted: two or three sentences of prose, more lines of a table. */
const enoughText = 360;

/** A candidate with its words, without numbers, which would make every log line different. */
interface Option {
  readonly candidate: Candidate;
  readonly words: ReadonlySet<string>;
}

function overlap(one: Sentence, other: Sentence): boolean {
  return one.passage.id === other.passage.id && one.start < other.end && other.start < one.end;
}

/** Returns the share of the smaller word set that both contain. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / small.size;
}

/** Returns the first of equal log lines. */
function firstAlike({ candidate, words }: Option, options: readonly Option[]): Candidate {
  if (candidate.sentence.kind !== 'log') return candidate;
  const same = options.filter(
    (other) => other.candidate.sentence.kind === 'log' && likeness(words, other.words) >= alike,
  );
  return same.map((other) => other.candidate).sort(byTime)[0] ?? candidate;
}

const lengthOf = (chosen: readonly Option[]): number =>
  chosen.reduce((sum, { candidate }) => sum + collapse(candidate.sentence.text).length, 0);

/** Returns the best candidates that are not too similar, best first. */
export function mostUseful(
  candidates: readonly Candidate[],
  query: ClauseQuery,
  { own }: SentenceIndex,
  { limit, share = enoughOfBest, spread = false }: Wanted,
): Candidate[] {
  const { score: best = 0, sign: bestSign = 0, match: bestMatch = 0 } = candidates[0] ?? {};
  // A cause, a change and a place may have few words of the question.
  const { intents, effect } = query;
  const isTold = intents.has('why') || intents.has('definition') || effect !== null || spread;
  const likely = isTold
    ? 0
    : bestMatch * (intents.has('change') && candidates[0]?.sentence.kind === 'log' ? asLikelyChange : asLikely);
  const telling = needsSign(query);
  const options = candidates
    .filter(
      ({ score, sign, match }) =>
        score >= best * share && match >= likely && (!telling || sign >= bestSign * asTelling),
    )
    .slice(0, considered)
    .map((candidate) => ({
      candidate,
      words: new Set(own.terms[candidate.index]!.filter((word) => !/^[\d.:]+$/.test(word))),
    }));
  const chosen: Option[] = [];
  const isNew = ({ candidate, words }: Option): boolean =>
    chosen.every(
      (other) => likeness(other.words, words) < alike && !overlap(other.candidate.sentence, candidate.sentence),
    );
  const value = ({ candidate }: Option): number => {
    const { source } = candidate.sentence.passage;
    const repeated = chosen.filter((other) => other.candidate.sentence.passage.source === source).length;
    return candidate.score - (spread ? sameSource * repeated : 0);
  };
  let rest = options;
  while (chosen.length < limit && lengthOf(chosen) < enoughText) {
    rest = rest.filter(isNew);
    const values = rest.map(value);
    const next = rest[values.indexOf(Math.max(...values))];
    if (next === undefined) break;
    chosen.push(next);
  }
  return chosen.map((option) => firstAlike(option, options));
}
