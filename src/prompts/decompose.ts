import { asIs, definePrompt, type KnownAnswer, renderKnown } from './prompt.ts';

export interface DecomposeVariables {
  readonly question: string;
  readonly known: readonly KnownAnswer[];
}

/** Splits a question into parts. */
export const decompose = definePrompt<DecomposeVariables>()({
  name: 'decompose',
  render: { question: asIs, known: renderKnown },
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
