import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { fitBlocks } from '../page.ts';
import type { Tool } from '../tool.ts';

const parameters = z.object({});

export const listContexts: Tool<z.infer<typeof parameters>> = {
  name: 'list_contexts',
  about: 'Lists the named contexts there are, and how each came about.',
  parameters,
  example: {},
  needs: 'text',
  async run(_, { contexts, bounds }) {
    const lines = contexts.list().map((context) => {
      const { documents, totalBytes } = context.store;
      const size = `${counted(documents.length, 'document')}, ${counted(totalBytes, 'byte')}`;
      return `- ${context.name}: ${context.about} (${size}, ${counted(contexts.chunks(context).length, 'chunk')})`;
    });
    const { text, shown } = fitBlocks(lines, bounds);
    return shown < lines.length ? `${text}\n… and ${lines.length - shown} more` : text;
  },
};
