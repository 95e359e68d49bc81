import { asIs, type BudgetLeft, definePrompt, type KnownAnswer, renderBudget, renderKnown } from './prompt.ts';

export interface DecomposeVariables {
  readonly question: string;
  readonly known: readonly KnownAnswer[];
  readonly budget: BudgetLeft;
}

/** Splits a question into parts. */
export const decompose = definePrompt<DecomposeVariables>()({
  name: 'decompose',
  render: { question: asIs, known: renderKnown, budget: renderBudget },
  required: ['question'],
  fields: {
    subQuestions: {
      kind: 'questions',
      label: 'SUB-QUESTION',
      about: 'a question that stands by itself, with every name it needs',
      required: true,
    },
  },
});
