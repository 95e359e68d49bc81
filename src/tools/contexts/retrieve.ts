import * as z from 'zod/mini';
import { contextName, text } from '../parameters.ts';
import { shownPassages } from '../passages.ts';
import type { Tool } from '../tool.ts';

const parameters = z.object({
  query: text('what to look for, in a few words or a question'),
  context: contextName,
});

export const retrieve: Tool<z.infer<typeof parameters>> = {
  name: 'retrieve',
  about:
    'Finds the passages that suit a query best, by words and where possible by meaning; to begin with, or when exact words find nothing.',
  parameters,
  example: { query: 'limit of the connection pool' },
  needs: 'text',
  async run({ query, context: name }, { contexts, bounds }) {
    const context = contexts.get(name);
    const passages = await contexts.retrieve(context, query, bounds.characters);
    if (passages.length === 0) return `No passage of ${context.name} suits ${JSON.stringify(query)}.`;
    const { text: shownText, shown } = shownPassages(passages, bounds);
    const rest = passages.length - shown;
    return rest > 0 ? `${shownText}\n… ${rest} more suit less well: ask more precisely to see others` : shownText;
  },
};
