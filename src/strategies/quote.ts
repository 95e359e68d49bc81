import type { RlmError } from '../errors.ts';
import { checkCitations } from '../evidence/citations.ts';
import { quotePassages } from '../providers/quote-passages.ts';
import type { Passage } from '../state.ts';
import { draftBy } from './draft.ts';
import type { Draft } from './strategy.ts';

/**
 * Quotes the best sentences of the passages, in place of a missing answer from a model. Null where none matches well
 * enough.
 * @param error the error of the draft; null: the question counts as answered.
 */
export function quoteDraft(question: string, passages: readonly Passage[], error: RlmError | null): Draft | null {
  const quotes = quotePassages(question, passages);
  if (quotes.citations.length === 0) return null;
  const { answer, citations } = checkCitations(quotes.answer, quotes.citations, passages);
  const strategyReason = 'the model gave no usable answer';
  return draftBy('direct', { strategyReason, answer, citations, passages, error: error?.toInfo() ?? null });
}
