import { completenessFields } from './completeness.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, renderKnown } from './prompt.ts';
import { field } from './reply/fields.ts';

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
    finalAnswer: field(
      'text',
      'FINAL ANSWER',
      'the answer to the whole question, keeping the marks in square brackets of the parts it uses',
      true,
    ),
    assumptions: field('list', 'ASSUMPTIONS', 'what the answer takes for granted without evidence'),
    ...completenessFields,
  },
  plain: { marks: null, below: ['tells', 'missing'] },
});
