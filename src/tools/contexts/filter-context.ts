import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { chunkAt } from '../../context/chunk-at.ts';
import { searchPlaces } from '../../context/search/search.ts';
import { createView } from '../../context/store/view.ts';
import { contextName, patternOf, wanted } from '../parameters.ts';
import type { Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const mostLines = 5_000;

const parameters = z.object({
  ...wanted,
  context: contextName,
  name: z.optional(z.string().check(z.describe('name of the new context, in letters, digits and -'))),
});

export const filterContext: Tool<z.infer<typeof parameters>> = {
  name: 'filter_context',
  about: 'Makes a new context of the passages that have a line with some words or a pattern, whatever the case.',
  parameters,
  example: { words: 'timeout', name: 'timeouts' },
  needs: 'text',
  async run({ context: from, name, ...given }, { contexts, signal }) {
    const { name: source, store } = contexts.get(from);
    const { pattern } = patternOf(given);
    const { matches, more } = await searchPlaces(store, pattern, { ignoreCase: true, limit: mostLines }, signal);
    const said = JSON.stringify(given.pattern ?? given.words);
    if (matches.length === 0) throw new ToolError(`no line of ${source} matches ${said}; nothing was made.`);
    const indexes = new Set(matches.map(({ document, startByte }) => chunkAt(store, document, startByte)));
    const made = contexts.add(
      name || null,
      `passages of ${source} that match ${said}`,
      createView(store, [...indexes]),
    );
    const rest = more > 0 ? ` Only the first ${mostLines} of ${mostLines + more} matching lines are in it.` : '';
    return `${made.name} now holds ${counted(indexes.size, 'passage')} of ${store.chunkCount}, with ${counted(matches.length, 'line')} that match.${rest}`;
  },
};
