import { readOrderQuestion } from '../../context/order/order-question.ts';
import type { Citation, Passage } from '../../state.ts';
import { readQuoteSignals } from './signals.ts';
import { rightOf } from './weights.ts';

/** Whether an answer has sections for parts of the question, or parts without an answer. */
const hasParts = (answer: string): boolean => /[?？]\s*$|^Not found:/m.test(answer);

/**
 * How likely the first line of an answer that quotes holds what was asked, 0–100: a fitted map from the provider's own
 * match and what stands beside the quote. The match itself where the question has parts or asks for an order in time,
 * to which nothing was fitted; null when nothing is cited.
 * @param match 0–100, or null where the provider was not asked.
 */
export function quotedConfidence(
  question: string,
  answer: string,
  match: number | null,
  citations: readonly Citation[],
  passages: readonly Passage[],
): number | null {
  const [first] = citations;
  if (match === null || first === undefined) return null;
  if (first.quote === null || hasParts(answer) || readOrderQuestion(question) !== null) return match;
  return Math.round(100 * rightOf(readQuoteSignals(question, match / 100, first, passages)));
}
