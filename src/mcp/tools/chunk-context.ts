import * as z from 'zod/mini';
import { contextName, whole } from '../parameters.ts';
import { type Piece, pieceKinds, textOf } from '../text/pieces.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  name: contextName,
  strategy: z._default(
    z.enum(pieceKinds).check(z.describe('What is counted for the size; documents: one chunk a document.')),
    'lines',
  ),
  size: z._default(z.number().check(z.describe('Lines, characters, paragraphs or passages a chunk, 1–100000.')), 100),
  offset: z._default(whole(0, 10_000_000, 'First chunk to list.'), 0),
  limit: z._default(whole(0, 200, 'Chunks to list, at most.'), 50),
});

const output = z.object({
  status: z.literal('chunked'),
  name: z.string(),
  strategy: z.string(),
  chunk_count: z.number(),
  chunks: z.array(
    z.object({
      index: z.number(),
      length: z.number(),
      preview: z.string(),
      source: z.string(),
      start_line: z.number(),
      end_line: z.number(),
    }),
  ),
  next_offset: z.nullable(z.number()).check(z.describe('Where the list goes on; null: it is complete.')),
});

const largest = 100_000;
const previewCharacters = 100;
const previewBytes = previewCharacters * 4;

export const chunkContext = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_chunk_context',
  title: 'Cut a context into chunks',
  about:
    'Cuts a loaded context into chunks and lists them with previews. The chunks can be read with rlm_get_chunk and asked about with rlm_sub_query and rlm_sub_query_batch by their index, from 0.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: true,
  asksModel: false,
  async run({ name, strategy, size, offset, limit }, { world }) {
    if (!Number.isInteger(size) || size < 1 || size > largest)
      throw new ToolFailure('invalid_chunk_size', `Chunk size must be between 1 and ${largest}`);
    const pieces = await world.contexts.cut(name, strategy, size);
    const { context } = await world.contexts.get(name);
    const preview = (piece: Piece): string =>
      [...textOf(context, { ...piece, endByte: Math.min(piece.endByte, piece.startByte + previewBytes) })]
        .slice(0, previewCharacters)
        .join('');
    const shown = pieces.slice(offset, offset + limit);
    const next = offset + shown.length;
    return {
      status: 'chunked',
      name,
      strategy,
      chunk_count: pieces.length,
      chunks: shown.map((piece, index) => ({
        index: offset + index,
        length: piece.length,
        preview: preview(piece),
        source: context.documents[piece.document]!.name,
        start_line: piece.startLine,
        end_line: piece.endLine,
      })),
      next_offset: next < pieces.length ? next : null,
    };
  },
});
