import * as z from 'zod/mini';
import { describe, renderDescription } from '../../context/description.ts';
import { contextName } from '../parameters.ts';
import type { Tool } from '../tool.ts';

const parameters = z.object({ context: contextName });

export const describeContext: Tool<z.infer<typeof parameters>> = {
  name: 'describe_context',
  about: 'Lists the documents of a context with their sizes, kinds and first lines.',
  parameters,
  example: { context: 'text' },
  needs: 'text',
  async run({ context }, { contexts, bounds }) {
    const { name, store, about } = contexts.get(context);
    const description = describe(store, { maxDocuments: Math.min(50, bounds.lines), firstLines: 2 });
    return `${name}: ${about}\n${renderDescription(description, bounds.characters - name.length - about.length - 10)}`;
  },
};
