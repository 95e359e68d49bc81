import { completenessFields } from './completeness.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, renderKnown } from './prompt.ts';

export interface ComposeVariables {
  readonly question: string;
  /** The parts of the question with their answers, which cite passages by their ids. */
  readonly parts: readonly KnownAnswer[];
  readonly criteria: readonly string[];
}

/** Composes one answer from the answers to a question's parts. */
export const compose = definePrompt<ComposeVariables>()({
  name: 'compose',
  render: { question: asIs, parts: renderKnown, criteria: bullets },
  required: ['question', 'parts'],
  fields: {
    finalAnswer: {
      kind: 'text',
      label: 'FINAL ANSWER',
      about: 'the answer to the whole question, keeping the marks in square brackets of the parts it uses',
      required: true,
    },
    assumptions: {
      kind: 'list',
      label: 'ASSUMPTIONS',
      about: 'what the answer takes for granted without evidence',
      required: false,
    },
    ...completenessFields,
  },
  plain: { marks: null, below: ['tells', 'missing'] },
});
