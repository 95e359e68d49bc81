import { asIs, definePrompt } from './prompt.ts';

export interface QueryVariables {
  /** The question, with the text that it is about. */
  readonly text: string;
}

/** Asks a question about a given text in one call. */
export const query = definePrompt<QueryVariables>()({
  name: 'query',
  render: { text: asIs },
  required: ['text'],
  fields: { reply: { kind: 'text', label: 'REPLY', about: 'what the text says to it', required: true } },
  plain: { marks: null },
});
