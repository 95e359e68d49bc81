import { needsSign } from '../question/answer-type.ts';
import { joinKnown, type Known, knownFrom, sharpen } from '../question/known.ts';
import { type ClauseQuery, readQuery } from '../question/query.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import type { Candidate } from './candidate.ts';
import type { MatchFeatures } from './features.ts';
import { bestInFront, byTime } from './order.ts';
import { rankSentences } from './rank.ts';
import { mostUseful } from './useful.ts';
import { leastMatch } from './weights.ts';

const closelyRelated = 0.6;

const fewestWords = 2;

/** Whether a sentence contains two of the words that an answer can share with the question, or the only one. */
const isNamed = ({ needed }: ClauseQuery, { told }: MatchFeatures): boolean => told >= Math.min(fewestWords, needed);

/**
 * Whether a sentence is likely enough to be an answer. The fitted probability is that of prose; a line of another kind
 * needs more than one common word. A cause may share few words with its effect.
 */
function isFound(query: ClauseQuery, { match, matched, sign, related, sentence }: Candidate): boolean {
  const { intents, effect } = query;
  if (match >= leastMatch && (sentence.kind === 'prose' || isNamed(query, matched))) return true;
  return (intents.has('why') || effect !== null) && sign === 1 && related >= closelyRelated;
}

/** Matches a literal word: in capitals, or letters with digits or an underscore. */
const literalWord = /^(?:[A-Z]{2,}|(?=.*[A-Za-z])(?=.*[\d_])[\w./-]+)$/;

const rows = /\.(?:csv|tsv|jsonl|ndjson)$/;

/**
 * Whether a line other than prose contains a literal word of the question; such a line is never reported as not found.
 */
const holdsLiteral = ({ terms }: ClauseQuery, { index, sentence }: Candidate, { own }: SentenceIndex): boolean =>
  (sentence.kind !== 'prose' || rows.test(sentence.passage.source)) &&
  terms.some(({ term, word, soft }) => !soft && literalWord.test(word) && own.find(term).get(index) === 1);

const fewBest = 3;

/**
 * Returns sentences from the first one that is likely enough; those after it may complete it. For prose it is the top
 * one where any of the first few is likely enough, since the ranking is more reliable than the words.
 */
function findSentences(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const ranked = rankSentences(query, index, known);
  const first = ranked.findIndex((candidate) => isFound(query, candidate));
  if (first < 0) return ranked.filter((candidate) => holdsLiteral(query, candidate, index));
  return ranked.slice(first < fewBest && ranked[0]!.sentence.kind === 'prose' ? 0 : first);
}

const ordered = 0.7;

/** Returns the earliest or latest of the log lines that match about equally well, for "What failed first?". */
function extreme(candidates: readonly Candidate[], direction: 1 | -1): Candidate[] {
  const best = candidates[0]?.score ?? 0;
  const lines = candidates.filter(({ score, sentence }) => sentence.kind === 'log' && score >= best * ordered);
  return lines.sort((one, other) => direction * byTime(one, other)).slice(0, 1);
}

const effects = 3;
const asRelated = 0.5;
const manyPlaces = 0.5;

function knownOf(happened: readonly Candidate[]): Known {
  return knownFrom(happened.map(({ sentence }) => `${sentence.text} [${sentence.passage.id}]`));
}

/** Finds causes by what happened: a cause often shares words with the event, not with the question. */
function findCauses(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const first = findSentences(query, index, known);
  return findSentences(query, index, sharpen(joinKnown([known, knownOf(first.slice(0, effects))]), index));
}

/** Removes times, since lines of the same hour may be unrelated. */
function withoutTimes(known: Known): Known {
  return { ...known, terms: new Set([...known.terms].filter((term) => !/^\d[\d.:tz/-]*$/.test(term))) };
}

/** Finds changes by their effect, with which they share words. */
function findChanges(query: ClauseQuery, effect: string, index: SentenceIndex, known: Known): Candidate[] {
  const came = readQuery(effect);
  const happened = findSentences(came, index, known).filter(({ sign, matched }) => sign > 0 && isNamed(came, matched));
  if (happened.length === 0) return [];
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

/** Returns the candidates that look like an answer, and always the best one. */
function withSign(query: ClauseQuery, found: readonly Candidate[]): readonly Candidate[] {
  if (!needsSign(query) || found.every(({ sign }) => sign === 0)) return found;
  return found.filter((candidate) => candidate.sign > 0 || candidate === found[0]);
}

// Matches a sentence that continues the previous one.
const goesOn =
  /^\s*(?:it|they|this|that|these|those|he|she|then|otherwise|but|however|so|instead|therefore|because|unless|until then|after that)\b/i;

/**
 * Adds the sentence after the best one where it completes that: the best lacks what was asked for, and the next
 * continues it.
 */
function withNext(chosen: readonly Candidate[], { sentences }: SentenceIndex): Candidate[] {
  const [best, ...others] = chosen;
  if (best === undefined) return [];
  const next = sentences[best.index + 1];
  const { sentence, also, sign } = best;
  const isNext =
    also.length === 0 &&
    sign < 1 &&
    sentence.kind === 'prose' &&
    next?.passage === sentence.passage &&
    next.kind === 'prose' &&
    !sentence.passage.text.slice(sentence.end - 1, next.start + 1).includes('\n\n') &&
    goesOn.test(next.text);
  return [isNext ? { ...best, also: [best.index + 1] } : best, ...others];
}

/** Selects the best sentences for a clause, the best first; none when nothing matches well enough. */
export function selectSentences(query: ClauseQuery, index: SentenceIndex, known: Known, limit: number): Candidate[] {
  const found = withSign(query, findBy(query, index, sharpen(known, index)));
  const direction = query.intents.has('first') ? 1 : query.intents.has('last') ? -1 : null;
  const lines = direction === null || query.intents.has('why') ? [] : extreme(found, direction);
  if (lines.length > 0) return lines;
  const wanted = query.intents.has('where') ? { limit: limit + 1, share: manyPlaces, spread: true } : { limit };
  return withNext(bestInFront(mostUseful(found, query, index, wanted)), index);
}
