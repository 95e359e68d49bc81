import { joinKnown, type Known, knownFrom, sharpen } from './known.ts';
import type { ClauseQuery } from './query.ts';
import { type Candidate, rankSentences } from './rank.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';

/** How much of the question a sentence and its surroundings must cover, by the number of words that matter. */
const bars = [0, 0.5, 0.55, 0.52, 0.5, 0.47];
const lowestBar = 0.44;
const signDiscount = 0.1;
const relatedDiscount = 0.2;
const namesNeeded = 0.7;
const closelyRelated = 0.6;

/** Whether a sentence matches well enough to be an answer. */
function isFound(query: ClauseQuery, { coverage, named, sign, related }: Candidate): boolean {
  if (named < namesNeeded) return false;
  const words = query.terms.filter((term) => !term.soft).length;
  const bar = bars[words] ?? lowestBar;
  if (coverage + signDiscount * sign + relatedDiscount * related >= bar) return true;
  return query.intents.has('why') && sign === 1 && related >= closelyRelated;
}

function overlap(one: Sentence, other: Sentence): boolean {
  return one.passage.id === other.passage.id && one.start < other.end && other.start < one.end;
}

/** Share of the smaller set of words that both have; numbers apart, or every log line would be new. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const [left, right] = [one, other].map((words) => new Set(words.filter((word) => !/^[\d.:]+$/.test(word))));
  if (left === undefined || right === undefined || left.size === 0 || right.size === 0) return 0;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.min(left.size, right.size);
}

const alike = 0.8;
const enoughOfBest = 0.72;
const repetition = 0.25;
const considered = 60;

/** The best candidates that are not too much like each other; candidates come best first. */
export function mostUseful(
  candidates: readonly Candidate[],
  limit: number,
  index: SentenceIndex,
  share = enoughOfBest,
): Candidate[] {
  const best = candidates[0];
  if (best === undefined) return [];
  const chosen = [best];
  let rest = candidates.filter((candidate) => candidate.score >= best.score * share).slice(1, considered);
  const sameness = (candidate: Candidate): number =>
    Math.max(...chosen.map((other) => likeness(index.own.terms[candidate.index]!, index.own.terms[other.index]!)));
  while (chosen.length < limit) {
    rest = rest.filter(
      (one) => sameness(one) < alike && !chosen.some((other) => overlap(one.sentence, other.sentence)),
    );
    const value = (candidate: Candidate): number => candidate.score - repetition * sameness(candidate);
    const next = rest.reduce<Candidate | undefined>(
      (top, one) => (top && value(top) >= value(one) ? top : one),
      undefined,
    );
    if (next === undefined) break;
    chosen.push(next);
    rest = rest.filter((candidate) => candidate !== next);
  }
  return chosen;
}

const moment = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)/;

/** Earlier in time where both tell it, else earlier in the text. */
function byTime(one: Candidate, other: Candidate): number {
  const [left, right] = [one, other].map(({ sentence }) => moment.exec(sentence.text)?.slice(1).join(' '));
  if (left !== undefined && right !== undefined && left !== right) return left < right ? -1 : 1;
  return byPlace(one, other);
}

function byPlace(one: Candidate, other: Candidate): number {
  const [left, right] = [one.sentence, other.sentence];
  if (left.passage.source !== right.passage.source) return one.index - other.index;
  return left.passage.startByte - right.passage.startByte || left.start - right.start;
}

const ordered = 0.7;

/** "What failed first?": of those that match about equally well, the earliest. */
function extreme(candidates: readonly Candidate[], direction: 1 | -1): Candidate[] {
  const best = candidates[0];
  if (best === undefined) return [];
  const equals = candidates.filter((candidate) => candidate.score >= best.score * ordered);
  return equals.sort((one, other) => direction * byTime(one, other)).slice(0, 1);
}

/** Candidates in the order of the text. */
export function inOrder(chosen: readonly Candidate[]): Candidate[] {
  const sources = new Map<string, number>();
  for (const { sentence } of chosen) sources.set(sentence.passage.source, sources.size);
  const rank = ({ sentence }: Candidate): number => sources.get(sentence.passage.source) ?? 0;
  return [...chosen].sort((one, other) => rank(one) - rank(other) || byPlace(one, other));
}

const effects = 3;

function findSentences(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  return rankSentences(query, index, known).filter((candidate) => isFound(query, candidate));
}

/** Why something is so is often said in a sentence that shares words with what happened, not with the question. */
function findCauses(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const first = findSentences(query, index, known);
  const happened = first.slice(0, effects).map(({ sentence }) => `${sentence.text} [${sentence.passage.id}]`);
  const found = findSentences(query, index, sharpen(joinKnown([known, knownFrom(happened)]), index));
  const causes = found.filter((candidate) => candidate.sign > 0);
  return causes.length === 0 ? found : found.filter((candidate) => candidate.sign > 0 || candidate === found[0]);
}

/** The best sentences for a clause in the order of the text; none when nothing matches well enough. */
export function selectSentences(query: ClauseQuery, index: SentenceIndex, known: Known, limit: number): Candidate[] {
  const sharp = sharpen(known, index);
  if (query.intents.has('why')) return inOrder(mostUseful(findCauses(query, index, sharp), limit, index));
  const found = findSentences(query, index, sharp);
  const direction = query.intents.has('first') ? 1 : query.intents.has('last') ? -1 : null;
  return direction === null ? inOrder(mostUseful(found, limit, index)) : extreme(found, direction);
}
