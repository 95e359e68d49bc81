import * as z from 'zod/mini';
import { optionalText, optionalWhole, somewhere } from '../parameters.ts';

/** The arguments of a search. */
export const parameters = z.object({
  pattern: optionalText('regular expression; no lookaround'),
  words: optionalText('instead: ranks passages'),
  path: somewhere,
  lines: optionalWhole(0, 'around each match'),
  count: z.optional(z.boolean().check(z.describe('only count, by file'))),
  caseSensitive: z.optional(z.boolean()),
  limit: optionalWhole(1),
  skip: optionalWhole(0),
});

export type GrepArguments = z.infer<typeof parameters>;
