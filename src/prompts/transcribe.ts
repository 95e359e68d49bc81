import { definePrompt, type Picture } from './prompt.ts';

export interface TranscribeVariables {
  readonly picture: Picture;
}

/** Writes down the text of one page. */
export const transcribe = definePrompt<TranscribeVariables>()({
  name: 'transcribe',
  render: { picture: () => 'picture' },
  required: ['picture'],
  fields: { reply: { kind: 'text', label: 'REPLY', about: 'the text of the picture', required: true } },
  plain: { marks: null },
  pictures: ({ picture }) => [picture],
  longReply: true,
  isLasting: true,
  isQuick: true,
});

/** What a model writes for a page without text. */
const blankPage = '[blank page]';

/** Returns the text of a page from a reply; empty for a blank page. */
export const transcriptIn = (reply: string): string => (reply.trim().toLowerCase() === blankPage ? '' : reply.trim());
