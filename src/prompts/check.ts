import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface CheckVariables {
  /** One sentence of an answer, without its citation marks. */
  readonly claim: string;
  readonly question: string;
  readonly passages: readonly Passage[];
}

/** Judges whether passages support a claim. */
export const check = {
  ...definePrompt<CheckVariables>()({
    name: 'check',
    render: { claim: asIs, question: asIs, passages: renderPassages },
    required: ['claim', 'passages'],
    fields: {
      verdict: {
        kind: 'choice',
        options: ['YES', 'NO'],
        label: 'VERDICT',
        about: 'whether the passages bear the claim out',
        required: true,
      },
    },
  }),
  probabilityOf: { field: 'verdict', option: 'YES' },
} as const;
