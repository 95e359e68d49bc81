import { needsSign } from '../question/answer-type.ts';
import { joinKnown, type Known, knownFrom, sharpen } from '../question/known.ts';
import { type ClauseQuery, readQuery } from '../question/query.ts';
import { byTime, inOrder, momentOf } from './order.ts';
import { type Candidate, rankSentences } from './rank.ts';
import type { SentenceIndex } from './sentence-index.ts';
import { mostUseful } from './useful.ts';

/** How much of the question a sentence and its surroundings must cover, by the number of words that matter. */
const bars = [0, 0.5, 0.58, 0.53, 0.5, 0.47, 0.44, 0.42];
const lowestBar = 0.38;
const signDiscount = 0.08;
const relatedDiscount = 0.2;
const namesNeeded = 0.7;
const closelyRelated = 0.6;

/** Whether a sentence matches well enough to be an answer. */
function isFound(query: ClauseQuery, { coverage, named, sign, related }: Candidate): boolean {
  if (named < namesNeeded) return false;
  const bar = bars[query.about.size] ?? lowestBar;
  if (coverage + signDiscount * sign + relatedDiscount * related >= bar) return true;
  return (query.intents.has('why') || query.effect !== null) && sign === 1 && related >= closelyRelated;
}

function findSentences(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  return rankSentences(query, index, known).filter((candidate) => isFound(query, candidate));
}

const ordered = 0.7;

/**
 * "What failed first?": of those that match about equally well, the earliest; those that tell their time before
 * others.
 */
function extreme(candidates: readonly Candidate[], direction: 1 | -1): Candidate[] {
  const best = candidates[0]?.score ?? 0;
  const equals = candidates.filter(({ score }) => score >= best * ordered);
  const timed = equals.filter((candidate) => momentOf(candidate) !== null);
  return (timed.length > 0 ? timed : equals).sort((one, other) => direction * byTime(one, other)).slice(0, 1);
}

const effects = 3;
const asRelated = 0.75;
const manyPlaces = 0.6;

function knownOf(happened: readonly Candidate[]): Known {
  return knownFrom(happened.map(({ sentence }) => `${sentence.text} [${sentence.passage.id}]`));
}

/** Why something is so is often said in a sentence that shares words with what happened, not with the question. */
function findCauses(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const first = findSentences(query, index, known);
  return findSentences(query, index, sharpen(joinKnown([known, knownOf(first.slice(0, effects))]), index));
}

/** Lines of the same hour need have nothing else in common. */
function withoutTimes(known: Known): Known {
  return { ...known, terms: new Set([...known.terms].filter((term) => !/^\d[\d.:tz/-]*$/.test(term))) };
}

/** What was changed shares words with what came of it. */
function findChanges(query: ClauseQuery, effect: string, index: SentenceIndex, known: Known): Candidate[] {
  const happened = findSentences(readQuery(effect), index, known).filter(({ sign }) => sign > 0);
  const all = sharpen(joinKnown([known, withoutTimes(knownOf(happened.slice(0, 2 * effects)))]), index);
  const found = findSentences(query, index, all);
  const changes = found.filter(({ sign }) => sign === 1);
  const most = Math.max(...changes.map(({ related }) => related));
  return changes.length === 0 ? found : changes.filter(({ related }) => related >= most * asRelated);
}

function findBy(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  if (query.effect !== null) return findChanges(query, query.effect, index, known);
  return query.intents.has('why') ? findCauses(query, index, known) : findSentences(query, index, known);
}

/** Those that look like an answer, and the best one even if it does not. */
function withSign(query: ClauseQuery, found: readonly Candidate[]): readonly Candidate[] {
  if (!needsSign(query) || found.every(({ sign }) => sign === 0)) return found;
  return found.filter((candidate) => candidate.sign > 0 || candidate === found[0]);
}

/** The best sentences for a clause in the order of the text; none when nothing matches well enough. */
export function selectSentences(query: ClauseQuery, index: SentenceIndex, known: Known, limit: number): Candidate[] {
  const sharp = sharpen(known, index);
  const found = withSign(query, findBy(query, index, sharp));
  const direction = query.intents.has('first') ? 1 : query.intents.has('last') ? -1 : null;
  if (direction !== null && !query.intents.has('why')) return extreme(found, direction);
  const wanted = query.intents.has('where') ? { limit: limit + 1, share: manyPlaces, spread: true } : { limit };
  return inOrder(mostUseful(found, query, index, wanted));
}
