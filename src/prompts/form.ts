import type { AnswerSchema } from '../schema/json-schema.ts';
import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface FormVariables {
  readonly question: string;
  /** The answer in prose, with its citation marks. */
  readonly answer: string;
  readonly passages: readonly Passage[];
  readonly schema: AnswerSchema;
}

/** Puts an answer into the requested form. */
export const form = definePrompt<FormVariables>()({
  name: 'form',
  isQuick: true,
  render: {
    question: asIs,
    answer: asIs,
    passages: renderPassages,
    schema: ({ reply }) => JSON.stringify(reply),
  },
  required: ['question', 'answer', 'passages', 'schema'],
  fields: { json: { kind: 'text', label: 'JSON', about: 'the answer as JSON', required: true } },
  schemaOf: ({ schema }) => schema,
});
