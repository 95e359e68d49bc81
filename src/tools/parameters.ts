/** Arguments that several tools take. */
import * as z from 'zod/mini';
import { ToolError } from './tool-error.ts';

export const text = (about: string) => z.string().check(z.minLength(1), z.describe(about));

export const whole = (least: number, most: number, about: string) =>
  z.int().check(z.gte(least), z.lte(most), z.describe(about));

export const contextName = z.optional(
  z
    .string()
    .check(z.describe('name of a context, such as "text#3" for the third chunk of the text; default: all of the text')),
);

/** Which lines to find. */
export const wanted = {
  words: z.optional(z.string().check(z.describe('words; lines with any of them match'))),
  pattern: z.optional(
    z.string().check(z.describe('a regular expression in place of words; no lookaround, no backreferences')),
  ),
};

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns which lines to find as a pattern; made of the words where words were given. */
export function patternOf(given: { readonly words?: string | undefined; readonly pattern?: string | undefined }) {
  const words = [...new Set((given.words ?? '').toLowerCase().match(/[\p{L}\p{N}_'’.-]+/gu) ?? [])];
  if (given.pattern) return { pattern: given.pattern, words: [] };
  if (words.length === 0) throw new ToolError('give "words" or a "pattern" to look for.');
  return { pattern: words.map(escaped).join('|'), words };
}
