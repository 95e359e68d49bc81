import { RE2JS } from 're2js';
import type { Result } from '../../result.ts';
import type { Gold, ScorerName } from '../samples/read-samples.ts';
import {
  jsonScores,
  listF1,
  listRecall,
  numberAmong,
  numberStated,
  saysAbsent,
  sourceScores,
  statesAbsent,
} from './other-scores.ts';
import {
  allScore,
  choiceScores,
  exactScore,
  f1Score,
  holdsScore,
  statedAnswer,
  statedF1,
  statesScore,
} from './text-scores.ts';

/** The scores of a reply, each 0–1. */
export interface Score {
  /** Score that ignores surplus content, as published scorers do. */
  readonly lenient: number;
  /** Score that decreases with surplus content, so that a reply that lists all possible answers scores low. */
  readonly strict: number;
  /** Exact match, where the sample has an answer in words; else null. */
  readonly exact: number | null;
  readonly f1: number | null;
  /** Recall of the documents that have to be cited; null where the sample names no such document. */
  readonly sources: number | null;
  /** Whether the reply says that the text does not contain the answer. */
  readonly absent: boolean;
}

export interface ScoredReply {
  readonly answer: string;
  readonly sources: readonly string[];
  /** How much of the question the reply claims to answer; null or absent if the reply does not say. */
  readonly tells?: Result['tells'];
}

type Pair = Pick<Score, 'lenient' | 'strict'>;

/**
 * Raises the lenient score to at least the strict score. Without this, the lenient score is lower if a reply names a
 * wrong answer before it states the right answer.
 */
const atLeastStrict = ({ lenient, strict }: Pair): Pair => ({ lenient: Math.max(lenient, strict), strict });

function containsPair({ target, choices, contains, targets }: Gold, answer: string): Pair {
  if (target !== null && choices !== null) return atLeastStrict(choiceScores(answer, target, choices));
  if (target !== null)
    return atLeastStrict({ lenient: holdsScore(answer, target), strict: statesScore(answer, target) });
  const all = contains ?? targets!;
  const lenient = allScore(answer, all);
  if (all.length === 1)
    return { lenient, strict: Math.max(statesScore(answer, all), Number(listF1(answer, all) === 1)) };
  return { lenient, strict: Math.min(lenient, Math.max(listF1(answer, all), allScore(statedAnswer(answer), all))) };
}

/** Lenient: recall. Strict: the lower of recall and F1, because half of a list has recall 0.5 and F1 0.67. */
const recallAndF1 = (recall: number, f1: number): Pair => ({ lenient: recall, strict: Math.min(recall, f1) });

const scorers: Readonly<Record<ScorerName, (gold: Gold, reply: ScoredReply) => Pair>> = {
  contains: (gold, { answer }) => containsPair(gold, answer),
  exact: ({ target }, { answer }) => ({ lenient: exactScore(answer, target!), strict: exactScore(answer, target!) }),
  f1: ({ target }, { answer }) => ({ lenient: statedF1(answer, target!), strict: f1Score(answer, target!) }),
  list: ({ targets }, { answer }) => recallAndF1(listRecall(answer, targets!), listF1(answer, targets!)),
  number: ({ number, ...gold }, { answer }) => {
    const wanted = { ...gold, number: number! };
    const strict = numberStated(answer, wanted);
    const lenient = gold.decay === null ? numberAmong(answer, wanted) : strict;
    return { lenient: Math.max(lenient, strict), strict };
  },
  pattern: ({ pattern }, { answer }) => {
    const holds = (text: string) => Number(RE2JS.compile(pattern!).matcher(text).find());
    return { lenient: holds(answer), strict: holds(statedAnswer(answer)) };
  },
  sources: ({ sources }, reply) => {
    const { recall, f1 } = sourceScores(reply.sources, sources!);
    return recallAndF1(recall, f1);
  },
  absent: (_gold, { answer, tells = null }) => ({
    lenient: Number(tells === 'nothing' || saysAbsent(answer)),
    strict: Number(statesAbsent(answer)),
  }),
  json: ({ json }, { answer }) => jsonScores(answer, json),
};

/** The score of a run without an answer. */
export const noScore: Score = { lenient: 0, strict: 0, exact: null, f1: null, sources: null, absent: false };

export function score(gold: Gold & { readonly scorer: ScorerName }, reply: ScoredReply): Score {
  const { target, sources, answerable } = gold;
  const { answer } = reply;
  const words = answerable ? target : null;
  return {
    ...scorers[gold.scorer](gold, reply),
    exact: words && exactScore(answer, words),
    f1: words && f1Score(answer, words),
    sources: sources && sourceScores(reply.sources, sources).recall,
    absent: saysAbsent(answer),
  };
}
