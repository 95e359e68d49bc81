import * as z from 'zod/mini';
import { contextName, wholeNumber } from '../parameters.ts';
import { type ContextChunk, chunkTextOf, cutKinds } from '../text/chunks.ts';
import { located } from '../text/locate.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  name: contextName,
  strategy: z._default(
    z.enum(cutKinds).check(z.describe('The unit of size; documents: one chunk per document.')),
    'lines',
  ),
  size: z._default(z.number().check(z.describe('Lines, characters, paragraphs or passages per chunk, 1–100000.')), 100),
  offset: z._default(wholeNumber(0, 10_000_000, 'First chunk to list.'), 0),
  limit: z._default(wholeNumber(0, 200, 'Maximum number of chunks to list.'), 50),
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
  next_offset: z.nullable(z.number()).check(z.describe('Offset of the rest of the list; null: the list is complete.')),
});

const largest = 100_000;
const previewCharacters = 100;
const previewBytes = previewCharacters * 4;

export const chunkContext = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_chunk_context',
  title: 'Divide a context into chunks',
  about:
    'Divides a loaded context into chunks and lists them with previews. Use their index (from 0) to read them with rlm_get_chunk, or to ask about them with rlm_sub_query and rlm_sub_query_batch.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: true,
  asksModel: false,
  async run({ name, strategy, size, offset, limit }, { world }) {
    if (!Number.isInteger(size) || size < 1 || size > largest)
      throw new ToolFailure('invalid_chunk_size', `Chunk size must be between 1 and ${largest}`);
    const chunks = await world.contexts.cut(name, strategy, size);
    const { context, locate } = await world.contexts.get(name);
    const preview = (chunk: ContextChunk): string =>
      [...chunkTextOf(context, { ...chunk, endByte: Math.min(chunk.endByte, chunk.startByte + previewBytes) })]
        .slice(0, previewCharacters)
        .join('');
    const shown = chunks.slice(offset, offset + limit);
    const next = offset + shown.length;
    return {
      status: 'chunked',
      name,
      strategy,
      chunk_count: chunks.length,
      chunks: shown.map((chunk, index) => {
        const { source, startLine, endLine } = located(
          { ...chunk, source: context.documents[chunk.document]!.name },
          locate,
        );
        return {
          index: offset + index,
          length: chunk.length,
          preview: preview(chunk),
          source,
          start_line: startLine,
          end_line: endLine,
        };
      }),
      next_offset: next < chunks.length ? next : null,
    };
  },
});
