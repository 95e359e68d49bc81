import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface HopVariables {
  readonly question: string;
  /** Passages that were shown and do not answer the question. */
  readonly passages: readonly Passage[];
}

/** Names searches for what the passages do not tell. */
export const hop = definePrompt<HopVariables>()({
  name: 'hop',
  render: { question: asIs, passages: renderPassages },
  required: ['question'],
  fields: { searches: { kind: 'text', label: 'SEARCHES', about: 'one to three searches, one a line', required: true } },
  plain: { marks: null },
});
