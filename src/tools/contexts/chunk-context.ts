import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { fitBlocks } from '../page.ts';
import { contextName, whole } from '../parameters.ts';
import type { Tool } from '../tool.ts';
import type { ContextPiece, NamedContext } from './contexts.ts';

const parameters = z.object({
  context: contextName,
  characters: z.optional(whole(200, 1_000_000, 'size of a chunk; default: what one sub-query has room for')),
});

function lineOf({ name, store }: NamedContext, { start, end, bytes }: ContextPiece, index: number): string {
  const first = store.plainPassage(store.chunk(start));
  const last = store.plainPassage(store.chunk(end - 1));
  const to = first.source === last.source ? `${last.endLine}` : `${last.source}:${last.endLine}`;
  return `- ${name}#${index + 1}: ${first.source}:${first.startLine} to ${to}, ${counted(bytes, 'byte')}`;
}

export const chunkContext: Tool<z.infer<typeof parameters>> = {
  name: 'chunk_context',
  about: 'Cuts a context into chunks, each of which can be named as a context (text#3) and read or asked about.',
  parameters,
  example: { context: 'text', characters: 8_000 },
  needs: 'text',
  async run({ context: name, characters }, { contexts, bounds }) {
    const given = contexts.get(name);
    const context = characters === undefined ? given : contexts.get(`${given.name}/${characters}`);
    const pieces = contexts.chunks(context);
    const listed = pieces.slice(0, bounds.lines).map((piece, index) => lineOf(context, piece, index));
    const { text, shown } = fitBlocks(listed, bounds);
    const rest = pieces.length - shown;
    const others = rest > 0 ? `\n… and ${rest} more, to ${context.name}#${pieces.length}` : '';
    return `${context.name} has ${counted(pieces.length, 'chunk')}:\n${text}${others}`;
  },
};
