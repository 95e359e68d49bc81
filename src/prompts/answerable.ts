import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface AnswerableVariables {
  readonly question: string;
  readonly passages: readonly Passage[];
}

/**
 * Judges whether passages contain the answer to a question. Any other reply counts as YES, since it denies nothing.
 */
export const answerable = {
  ...definePrompt<AnswerableVariables>()({
    name: 'answerable',
    render: { question: asIs, passages: renderPassages },
    required: ['question', 'passages'],
    fields: {
      verdict: {
        kind: 'choice',
        options: ['NO', 'YES'],
        label: 'VERDICT',
        about: 'whether the passages hold the answer',
        required: false,
      },
    },
    plain: { marks: null },
  }),
  probabilityOf: { field: 'verdict', option: 'YES' },
} as const;
