import * as z from 'zod/mini';
import { optionalText, type Tool, textParameter } from './tool.ts';

const parameters = z.object({
  answer: textParameter('its ids in [brackets] after each statement'),
  evidence: z.optional(z.array(z.object({ passage: textParameter('id'), quote: optionalText('copied exactly') }))),
  tells: z.optional(z.enum(['all', 'part', 'nothing']).check(z.describe('how much'))),
  missing: z.optional(z.array(z.string()).check(z.describe('not found, as short questions'))),
});

/** An answer as a model gives it, unchecked. */
export type FinalAnswer = z.infer<typeof parameters>;

export const finalAnswer: Tool<FinalAnswer> = {
  name: 'final_answer',
  about: 'Ends the search.',
  parameters,
  example: {
    answer: 'The pool was limited to 20 [P12].',
    evidence: [{ passage: 'P12', quote: 'limited to 20 connections' }],
    tells: 'all',
    missing: [],
  },
  lenient: ['evidence', 'tells', 'missing'],
  needs: 'run',
  async run() {
    return 'The answer was taken.';
  },
};
