import * as z from 'zod/mini';
import { search } from '../context/search/search.ts';
import { createView } from '../context/view.ts';
import { contextName, patternOf, wanted } from './parameters.ts';
import { chunkAt } from './places.ts';
import { type Tool, ToolError } from './tool.ts';
import { counted } from './wording.ts';

const mostLines = 5_000;

const parameters = z.object({
  ...wanted,
  context: contextName,
  name: z.optional(z.string().check(z.describe('name of the new context, in letters, digits and -'))),
});

export const filterContext: Tool<z.infer<typeof parameters>> = {
  name: 'filter_context',
  about: 'Makes a new context of the passages that have a line with some words or a pattern.',
  parameters,
  example: { words: 'timeout', name: 'timeouts' },
  needs: 'text',
  async run({ context: from, name, ...given }, { contexts, signal }) {
    const { name: source, store } = contexts.get(from);
    const { pattern } = patternOf(given);
    const { matches, more } = await search(store, pattern, { ignoreCase: true, limit: mostLines }, signal);
    const said = JSON.stringify(given.pattern ?? given.words);
    if (matches.length === 0) throw new ToolError(`no line of ${source} matches ${said}; nothing was made.`);
    const documents = new Map(store.documents.map((document, index) => [document.name, index]));
    const indexes = new Set(matches.map((match) => chunkAt(store, documents.get(match.source)!, match.startByte)));
    const made = contexts.add(
      name || null,
      `passages of ${source} that match ${said}`,
      createView(store, [...indexes]),
    );
    const rest = more > 0 ? ` Only the first ${mostLines} of ${mostLines + more} matching lines are in it.` : '';
    return `${made.name} now holds ${counted(indexes.size, 'passage')} of ${store.chunkCount}, with ${counted(matches.length, 'line')} that match.${rest}`;
  },
};
