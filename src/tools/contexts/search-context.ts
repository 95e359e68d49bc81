import * as z from 'zod/mini';
import { grouped } from '../../base/counted.ts';
import { chunkAt } from '../../context/chunk-at.ts';
import { type SearchMatch, searchAfter } from '../../context/search/search.ts';
import { fitBlocks } from '../page.ts';
import { contextName, patternOf, wanted, whole } from '../parameters.ts';
import { type Stretch, stretchOf } from '../places.ts';
import type { Tool } from '../tool.ts';
import type { NamedContext } from './contexts.ts';

/** How many lines are compared to find those with most of the words. */
const mostRanked = 500;
const mostShown = 200;

const parameters = z.object({
  ...wanted,
  context: contextName,
  contextLines: z.optional(whole(0, 20, 'lines to show before and after each match; default: 0')),
  caseSensitive: z.optional(z.boolean().check(z.describe('whether capital and small letters differ; default: false'))),
  skip: z.optional(whole(0, 1_000_000, 'matches to pass over, to see those after them')),
});

/** Sorts lines with more of the words first, rarer words counting more; equal lines stay in order. */
function byWords(matches: readonly SearchMatch[], words: readonly string[]): readonly SearchMatch[] {
  if (words.length < 2) return matches;
  const held = matches.map(({ text }) => {
    const lower = text.toLowerCase();
    return words.filter((word) => lower.includes(word));
  });
  const counts = new Map(words.map((word) => [word, held.filter((some) => some.includes(word)).length]));
  const worth = (some: readonly string[]) => some.reduce((sum, word) => sum + 1 + 1 / (1 + counts.get(word)!), 0);
  return matches
    .map((match, index) => ({ match, worth: worth(held[index]!) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ match }) => match);
}

/** A match as it is shown, with the passage it stands in, and the index of that. */
function createView({ store }: NamedContext) {
  const numbers = new Map(store.documents.map(({ name }, document) => [name, document]));
  const known = new Map<number, Stretch>();
  return (match: SearchMatch) => {
    const document = numbers.get(match.source)!;
    const stretch = known.get(document) ?? stretchOf(store, document);
    known.set(document, stretch);
    const index = chunkAt(store, document, match.startByte);
    const { source, linesBefore } = stretch;
    const around = (lines: SearchMatch['before']) =>
      lines.map(({ line, text }) => `      ${source}:${line + linesBefore}- ${text}`);
    const own = `[P${store.chunk(index).number}] ${source}:${match.line + linesBefore}: ${match.text}`;
    return { index, block: [...around(match.before), own, ...around(match.after)].join('\n') };
  };
}

/** Why all matches were passed over: only those that were ranked can be gone through. */
const whyNone = (more: number, skip: number): string =>
  more > 0
    ? `of which the first ${mostRanked} can be gone through: use rarer words, a narrower context, or a "pattern".`
    : `all of them before "skip": ${skip}.`;

export const searchContext: Tool<z.infer<typeof parameters>> = {
  name: 'search_context',
  about: 'Finds lines by words or by a pattern, with their places and passages, and says how many more there are.',
  parameters,
  example: { words: 'pool limit' },
  needs: 'text',
  async run({ context: name, contextLines, caseSensitive, skip = 0, ...given }, { contexts, bounds, signal }) {
    const context = contexts.get(name);
    const { pattern, words } = patternOf(given);
    // What is ranked is passed over by its rank.
    const asked =
      words.length > 1 ? { limit: mostRanked, skip: 0 } : { limit: Math.min(mostShown, bounds.lines), skip };
    const options = { ignoreCase: caseSensitive !== true, contextLines, ...asked };
    const { matches, skipped, more, isComplete } = await searchAfter(context.store, pattern, options, signal);
    if (matches.length + skipped === 0)
      return `No line of ${context.name} matches ${JSON.stringify(given.pattern ?? given.words)}.`;
    const first = skip - asked.skip;
    const views = byWords(matches, words)
      .slice(first, first + bounds.lines)
      .map(createView(context));
    const total = `${isComplete ? '' : 'at least '}${grouped(skipped + matches.length + more)}`;
    if (views.length === 0) return `Matching lines in ${context.name}: ${total}, ${whyNone(more, skip)}`;
    const { text, shown } = fitBlocks(
      views.map(({ block }) => block),
      bounds,
    );
    contexts.show(
      context,
      views.slice(0, shown).map(({ index }) => index),
    );
    const order = words.length > 1 ? ', those with most of the words first' : '';
    const rest = matches.length + more - first - shown;
    const how = rest > 0 ? `\n… ${rest} more: use rarer words, a narrower context, or "skip": ${skip + shown}` : '';
    return `Matching lines in ${context.name}: ${total}${order}:\n${text}${how}`;
  },
};
