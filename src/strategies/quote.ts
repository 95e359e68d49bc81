import type { RlmError } from '../errors.ts';
import { checkCitations } from '../evidence/citations.ts';
import { quotePassages } from '../providers/quote-passages.ts';
import type { Passage } from '../state.ts';
import { draftBy } from './draft.ts';
import type { Draft } from './strategy.ts';

/**
 * What the passages say in place of an answer that a model did not give: its best sentences, as they stand there. Null
 * where none matches well enough.
 * @param error what is told of the run; null: the question counts as answered.
 */
export function quoteDraft(question: string, passages: readonly Passage[], error: RlmError | null): Draft | null {
  const quotes = quotePassages(question, passages);
  if (quotes.citations.length === 0) return null;
  const { answer, citations } = checkCitations(quotes.answer, quotes.citations, passages);
  const strategyReason = 'the model gave no answer that can be used';
  return draftBy('direct', { strategyReason, answer, citations, passages, error: error?.toInfo() ?? null });
}
