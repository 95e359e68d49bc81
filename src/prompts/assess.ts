import { asIs, type BudgetLeft, definePrompt, type KnownAnswer, renderBudget, renderKnown } from './prompt.ts';

export interface AssessVariables {
  readonly question: string;
  /** Answers that are already known. */
  readonly known: readonly KnownAnswer[];
  readonly budget: BudgetLeft;
}

/** Judges how hard a question is, which decides whether it is answered or split. */
export const assess = {
  ...definePrompt<AssessVariables>()({
    name: 'assess',
    render: { question: asIs, known: renderKnown, budget: renderBudget },
    required: ['question'],
    fields: {
      verdict: {
        kind: 'choice',
        options: ['SIMPLE', 'COMPLEX'],
        label: 'ASSESSMENT',
        about: 'SIMPLE when one look at the right passages answers it',
        required: true,
      },
      reason: { kind: 'text', label: 'REASON', about: 'why, in a sentence', required: false },
    },
  }),
  probabilityOf: { field: 'verdict', option: 'COMPLEX' },
} as const;
