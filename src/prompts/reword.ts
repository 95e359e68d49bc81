import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface RewordVariables {
  readonly question: string;
  /** What was shown to answer it, and does not. */
  readonly passages: readonly Passage[];
}

/** Puts a question in other words, to find what the words of the question do not. */
export const reword = definePrompt<RewordVariables>()({
  name: 'reword',
  render: { question: asIs, passages: renderPassages },
  required: ['question'],
  fields: { words: { kind: 'text', label: 'WORDS', about: 'the question in other words', required: true } },
  plain: { marks: null },
});
