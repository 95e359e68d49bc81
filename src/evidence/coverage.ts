import { contentTerms } from '../context/words/terms.ts';
import type { Passage } from '../state.ts';

/**
 * Returns the share of a question's words that passages hold, with the headings that they stand under, 0–1. One more
 * word counts as not found, so that a short question proves less.
 */
export function coverageOf(question: string, passages: readonly Passage[]): number {
  const asked = new Set(contentTerms(question));
  const found = new Set(passages.flatMap(({ text, under = [] }) => contentTerms([text, ...under].join('\n'))));
  return [...asked].filter((term) => found.has(term)).length / (asked.size + 1);
}
