import * as z from 'zod/mini';
import { optionalText, optionalWhole, somewhere } from '../parameters.ts';

/** The arguments of a search. */
export const parameters = z.object({
  pattern: optionalText('regular expression, line by line; no lookaround'),
  words: optionalText('instead: ranks passages by these words'),
  path: somewhere,
  lines: optionalWhole(0, 'lines around each match'),
  count: z.optional(z.boolean().check(z.describe('only count matching lines by file'))),
  caseSensitive: z.optional(z.boolean()),
  limit: optionalWhole(1, 'default 100'),
  skip: optionalWhole(0, 'results to pass over'),
});

export type GrepArguments = z.infer<typeof parameters>;
