import { pickChanges, pickStatement } from '../../../context/order/causes.ts';
import { tellsFailure } from '../../../context/order/events.ts';
import { readMoment, type TimedLine } from '../../../context/order/moments.ts';
import { putInOrder, readOrderQuestion } from '../../../context/order/order-question.ts';
import type { ClauseQuery } from '../question/query.ts';
import { saysUnknown } from '../question/unknowns.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import type { Candidate } from './candidate.ts';

/**
 * Sentences that answer by the order of time, and the time from the first to the last where the question asks for it.
 */
export interface InTime {
  readonly chosen: readonly Candidate[];
  readonly spanMs: number | null;
}

interface TimedSentence extends TimedLine {
  readonly index: number;
}

function timedSentences({ sentences }: SentenceIndex): TimedSentence[] {
  return sentences.flatMap(({ text }, index) => {
    const moment = readMoment(text);
    return moment === null ? [] : { text, moment, index };
  });
}

/** Creates a candidate for a sentence that was found by its time, regardless of its words. */
const toCandidate = ({ sentences }: SentenceIndex, index: number): Candidate => ({
  index,
  sentence: sentences[index]!,
  matched: { own: 1, named: 1, words: 1, told: 1, fresh: 1, negated: 0 },
  match: 1,
  sign: 1,
  related: 1,
  score: 1,
  also: [],
});

/**
 * Selects sentences by time; null where the question does not ask for it, or no line of the passages reports the
 * event.
 */
export function selectInTime(question: string, { intents }: ClauseQuery, index: SentenceIndex): InTime | null {
  const order = readOrderQuestion(question);
  if (order === null) return null;
  const timed = timedSentences(index);
  const { lines, spanMs } = putInOrder(order, timed);
  const [first] = lines;
  if (first === undefined) return null;
  if (!intents.has('why')) return { chosen: lines.map((line) => toCandidate(index, line.index)), spanMs };
  const causes = tellsFailure(question) ? selectCauses(first, timed, index) : [];
  return causes.length === 0 ? null : { chosen: causes, spanMs: null };
}

/** Selects what may have caused a failure: the changes before it, and a sentence that states a cause. */
function selectCauses(failure: TimedSentence, timed: readonly TimedSentence[], index: SentenceIndex): Candidate[] {
  const changes = pickChanges(failure, timed).map((line) => line.index);
  const told = [failure.index, ...changes];
  const words = told.map((number) => index.sentences[number]!.text).join('\n');
  const statement = pickStatement(words, statementsIn(index, new Set(told)));
  const causes = [...changes, ...(statement === null ? [] : [statement.number])];
  return causes.map((number) => toCandidate(index, number));
}

/** Returns sentences that may state a cause; headings and unknowns do not. */
function statementsIn({ sentences }: SentenceIndex, told: ReadonlySet<number>) {
  return sentences
    .map(({ text, under }, number) => ({ text, under, number }))
    .filter(({ number }) => {
      const sentence = sentences[number]!;
      return !told.has(number) && sentence.kind !== 'heading' && !saysUnknown(sentence);
    });
}
