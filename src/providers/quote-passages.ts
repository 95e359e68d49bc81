import type { CitedPassage } from '../prompts/reply/fields.ts';
import type { Passage } from '../state.ts';
import { answerFromPassages } from './extractive/answer.ts';

/** The best sentences of passages, each with its passage's mark. */
export interface Quotes {
  readonly answer: string;
  /** The citations; empty where no sentence matches well enough, as `answer` then says. */
  readonly citations: readonly CitedPassage[];
}

/**
 * Answers a question with sentences of passages, as the provider without a model does, where a model gave no answer.
 */
export function quotePassages(question: string, passages: readonly Passage[]): Quotes {
  const { answer, citations } = answerFromPassages({ question, passages });
  return { answer, citations };
}
