import * as z from 'zod/mini';
import { optionalText, text } from './parameters.ts';
import type { Tool } from './tool.ts';

const parameters = z.object({
  answer: text('each statement followed by its ids in [brackets]'),
  evidence: z.optional(z.array(z.object({ passage: text('id'), quote: optionalText('copied exactly') }))),
  tells: z.optional(z.enum(['all', 'part', 'nothing']).check(z.describe('how much it answers'))),
  missing: z.optional(z.array(z.string()).check(z.describe('what was not found, as short standalone questions'))),
});

/** An answer as a model gives it, before any check. */
export type FinalAnswer = z.infer<typeof parameters>;

/** Ends an exploration. The caller takes the answer from the arguments. */
export const finalAnswer: Tool<FinalAnswer> = {
  name: 'final_answer',
  about: 'Gives the answer and ends the search.',
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
