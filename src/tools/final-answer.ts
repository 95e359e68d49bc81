import * as z from 'zod/mini';
import { text } from './parameters.ts';
import type { Tool } from './tool.ts';

const optionalText = (about: string) => z.optional(z.string().check(z.describe(about)));

const parameters = z.object({
  answer: text('the answer, each statement followed by the id of its passage in square brackets'),
  evidence: z.optional(
    z
      .array(
        z.object({
          passage: text('id of the passage'),
          quote: optionalText('words copied exactly from it'),
        }),
      )
      .check(z.describe('what the answer rests on')),
  ),
  findings: z.optional(
    z
      .array(
        z.object({
          description: text('what was found'),
          evidence: text('words copied exactly from the text'),
          source: text('name of the document'),
          startLine: z.optional(z.int()),
          endLine: z.optional(z.int()),
          confidence: z.optional(z.number().check(z.describe('0 to 100'))),
        }),
      )
      .check(z.describe('findings that were not noted before')),
  ),
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
  },
  needs: 'nothing',
  async run() {
    return 'The answer was taken.';
  },
};
