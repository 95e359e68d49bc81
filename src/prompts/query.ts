import { asIs, definePrompt } from './prompt.ts';

export interface QueryVariables {
  /** What is asked, with the text that it is about. */
  readonly text: string;
}

/** One bounded call on given text. */
export const query = definePrompt<QueryVariables>()({
  name: 'query',
  render: { text: asIs },
  required: ['text'],
  fields: { reply: { kind: 'text', label: 'REPLY', about: 'what the text says to it', required: true } },
  plain: { marks: null },
});
