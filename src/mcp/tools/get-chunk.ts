import * as z from 'zod/mini';
import { contextName, wholeNumber } from '../parameters.ts';
import { type ContextChunk, chunkTextOf } from '../text/chunks.ts';
import { located } from '../text/locate.ts';
import type { NamedContext } from '../text/named-context.ts';
import { mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  name: contextName,
  chunk_index: z.number().check(z.describe('Index of the chunk, from 0.')),
  offset: z._default(
    wholeNumber(0, 1_000_000_000, 'First character to show, for a chunk of more than 40000 characters.'),
    0,
  ),
});

const output = z.object({
  text: z.string(),
  source: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  next_offset: z.nullable(z.number()).check(z.describe('Offset of the rest of the chunk; null: this is the end.')),
});

const mostCharacters = 40_000;

/** Throws ToolFailure with the reference server's codes. */
function chunkAt({ name, cut }: NamedContext, index: number): ContextChunk {
  if (!Number.isInteger(index) || index < 0)
    throw new ToolFailure('invalid_chunk_index', `Chunk index must be >= 0, got ${index}`);
  if (cut === null)
    throw new ToolFailure(
      'context_not_chunked',
      `Context '${name}' has not been chunked yet. Call rlm_chunk_context first.`,
    );
  const chunk = cut.chunks[index];
  if (chunk !== undefined) return chunk;
  throw new ToolFailure('chunk_out_of_range', `Chunk index ${index} out of range (max ${cut.chunks.length - 1})`);
}

export const getChunk = mcpTool<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'rlm_get_chunk',
  title: 'Read a chunk',
  about: 'Returns the text of one chunk from rlm_chunk_context, at most 40000 characters at a time.',
  input,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  async run({ name, chunk_index: index, offset }, { world }) {
    const named = await world.contexts.get(name);
    const chunk = chunkAt(named, index);
    const whole = chunkTextOf(named.context, chunk);
    const text = whole.slice(offset, offset + mostCharacters);
    const next = offset + text.length;
    const { name: source } = named.context.documents[chunk.document]!;
    const place = located({ ...chunk, source }, named.locate);
    return {
      text,
      source: place.source,
      start_line: place.startLine,
      end_line: place.endLine,
      next_offset: next < whole.length ? next : null,
    };
  },
  toText: ({ text, next_offset: next }) =>
    next === null ? text : `${text}\n[the chunk continues: call again with offset ${next}]`,
});
