import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface RewordVariables {
  readonly question: string;
  /** Passages that were shown and do not answer the question. */
  readonly passages: readonly Passage[];
}

/** Rewords a question, to find passages that its own words do not find. */
export const reword = definePrompt<RewordVariables>()({
  name: 'reword',
  render: { question: asIs, passages: renderPassages },
  required: ['question'],
  fields: { words: { kind: 'text', label: 'WORDS', about: 'the question in other words', required: true } },
  plain: { marks: null },
});
