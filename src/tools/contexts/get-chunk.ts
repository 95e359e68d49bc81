import * as z from 'zod/mini';
import { contextName, whole } from '../parameters.ts';
import { shownPassages } from '../passages.ts';
import type { Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const parameters = z.object({
  context: contextName,
  chunk: whole(1, 10_000_000, 'number of the chunk, from 1'),
});

export const getChunk: Tool<z.infer<typeof parameters>> = {
  name: 'get_chunk',
  about: 'Shows the text of one chunk of a context.',
  parameters,
  example: { context: 'text', chunk: 3 },
  needs: 'text',
  async run({ context: name, chunk }, { contexts, bounds }) {
    const context = contexts.get(name);
    const pieces = contexts.chunks(context);
    const piece = pieces[chunk - 1];
    if (piece === undefined) throw new ToolError(`${context.name} has chunks 1 to ${pieces.length}, and no ${chunk}.`);
    const count = piece.end - piece.start;
    const indexes = Array.from({ length: Math.min(count, bounds.lines) }, (_, step) => piece.start + step);
    const passages = contexts.show(context, indexes);
    const { text, shown } = shownPassages(passages, bounds);
    if (shown === count) return text;
    const { source, startLine } = passages[shown] ?? passages.at(-1)!;
    return `${text}\n… ${count - shown} of its ${count} passages are left out: peek_context ${JSON.stringify({ source, startLine })}`;
  },
};
