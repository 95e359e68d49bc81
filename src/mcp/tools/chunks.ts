import * as z from 'zod/mini';
import { beginning } from '../../base/text.ts';
import { createLimiter } from '../../run/door/limiter.ts';
import { checkDepth, contextName, ToolFailure, type Wishes, wholeNumber, wishes, words } from '../arguments.ts';
import { answerSchema, answerText, recursionOf, toAnswer } from '../asking/answers.ts';
import { type ContextChunk, chunkTextOf, cut, cutKinds } from '../text/chunks.ts';
import type { NamedContext } from '../text/contexts.ts';
import { chunkText, linesAt, placeFields, wholeDocument } from '../text/documents.ts';
import { asking, type Call, changing, mcpTool, reading } from '../tool.ts';

const largest = 100_000;
const previewCharacters = 100;
const mostCharacters = 40_000;

/** Returns the place of a chunk without `lines`, which may be long. */
function placeOfChunk({ context, locate }: NamedContext, chunk: ContextChunk) {
  const { lines: _, ...place } = linesAt({ ...chunk, source: context.documents[chunk.document]!.name }, locate);
  return place;
}

export const chunkContext = mcpTool({
  name: 'rlm_chunk_context',
  title: 'Divide a context into chunks',
  about:
    'Divides a loaded context into chunks and lists them with previews. Use their index (from 0) to read them with rlm_get_chunk, or to ask about them with rlm_sub_query and rlm_sub_query_batch.',
  input: z.object({
    name: contextName,
    strategy: z._default(
      z.enum(cutKinds).check(z.describe('The unit of size; documents: one chunk per document.')),
      'lines',
    ),
    size: z._default(
      z.number().check(z.describe('Lines, characters, paragraphs or passages per chunk, 1–100000.')),
      100,
    ),
    offset: z._default(wholeNumber(0, 10_000_000, 'First chunk to list.'), 0),
    limit: z._default(wholeNumber(0, 200, 'Maximum number of chunks to list.'), 50),
  }),
  output: z.object({
    status: z.literal('chunked'),
    name: z.string(),
    strategy: z.string(),
    chunk_count: z.number(),
    chunks: z.array(z.object({ index: z.number(), length: z.number(), preview: z.string(), ...placeFields })),
    next_offset: z
      .nullable(z.number())
      .check(z.describe('Offset of the rest of the list; null: the list is complete.')),
  }),
  ...changing,
  async run({ name, strategy, size, offset, limit }, { world }) {
    if (!Number.isInteger(size) || size < 1 || size > largest)
      throw new ToolFailure('invalid_chunk_size', `Chunk size must be between 1 and ${largest}`);
    return world.contexts.use(name, async (named) => {
      const chunks = await cut(named.context, strategy, size);
      named.chunks = chunks;
      const shown = chunks.slice(offset, offset + limit);
      const next = offset + shown.length;
      return {
        ...{ status: 'chunked' as const, name, strategy, chunk_count: chunks.length },
        chunks: shown.map((chunk, index) => ({
          index: offset + index,
          length: chunk.length,
          preview: [...chunkTextOf(named.context, chunk, previewCharacters * 4)].slice(0, previewCharacters).join(''),
          ...placeOfChunk(named, chunk),
        })),
        next_offset: next < chunks.length ? next : null,
      };
    });
  },
});

const notChunked = (name: string) =>
  new ToolFailure('context_not_chunked', `Context '${name}' has not been chunked yet. Call rlm_chunk_context first.`);

/** Returns a chunk by its index. Throws ToolFailure with the codes of the reference server (docs/mcp.md). */
function chunkAt({ name, chunks }: NamedContext, index: number): ContextChunk {
  if (!Number.isInteger(index) || index < 0)
    throw new ToolFailure('invalid_chunk_index', `Chunk index must be >= 0, got ${index}`);
  if (chunks === null) throw notChunked(name);
  const chunk = chunks[index];
  if (chunk !== undefined) return chunk;
  throw new ToolFailure('chunk_out_of_range', `Chunk index ${index} out of range (max ${chunks.length - 1})`);
}

export const getChunk = mcpTool({
  name: 'rlm_get_chunk',
  title: 'Read a chunk',
  about: 'Returns the text of one chunk from rlm_chunk_context, at most 40000 characters at a time.',
  input: z.object({
    name: contextName,
    chunk_index: z.number().check(z.describe('Index of the chunk, from 0.')),
    offset: z._default(
      wholeNumber(0, 1_000_000_000, 'First character to show, for a chunk of more than 40000 characters.'),
      0,
    ),
  }),
  output: z.object({
    text: z.string(),
    ...placeFields,
    next_offset: z.nullable(z.number()).check(z.describe('Offset of the rest of the chunk; null: this is the end.')),
  }),
  ...reading,
  run: ({ name, chunk_index: index, offset }, { world }) =>
    world.contexts.use(name, async (named) => {
      const chunk = chunkAt(named, index);
      const whole = chunkTextOf(named.context, chunk);
      const [from, next] = [offset, offset + mostCharacters].map((units) => beginning(whole, units).length);
      const text = whole.slice(from, next);
      return { text, ...placeOfChunk(named, chunk), next_offset: next! < whole.length ? next! : null };
    }),
  toText: ({ text, next_offset: next }) =>
    next === null ? text : `${text}\n[the chunk continues: call again with offset ${next}]`,
});

const responseSchema = z.object({
  provider: z.nullable(z.string()),
  model: z.nullable(z.string()),
  response: z.string(),
  recursion: z.object({ max_depth: z.number(), depth_reached: z.number(), call_trace: z.array(z.string()) }),
  result: answerSchema,
});

/**
 * Asks about a chunk of a context. If `chunk` is null, asks about the whole context.
 * @throws ToolFailure `provider_error` if there is no answer.
 */
async function subQuery(
  found: NamedContext,
  given: { readonly query: string } & Wishes,
  chunk: number | null,
  { world, signal, onEvent }: Call,
): Promise<z.infer<typeof responseSchema>> {
  const text = chunk === null ? wholeDocument(found) : chunkText(found, chunk);
  const { query: question, max_depth = 0 } = given;
  const result = await world.asking.ask({ question, text, wishes: { ...given, max_depth } }, signal, onEvent);
  const { answer, provider, model, error, recursionTree } = result;
  if (answer === null) throw new ToolFailure('provider_error', error?.message ?? 'there is no answer');
  const recursion = recursionOf(recursionTree, max_depth);
  return { provider, model, response: answer, recursion, result: toAnswer(result) };
}

export const subQueryTool = mcpTool({
  name: 'rlm_sub_query',
  title: 'Ask about a context or a chunk',
  about:
    "Asks one question about a loaded context, or about one chunk of it, with the user's model; the text does not pass through you. max_depth 0 answers directly, 1–5 allows sub-questions.",
  input: z.object({
    query: words('The question.'),
    context_name: contextName,
    chunk_index: z.optional(
      z.number().check(z.describe('Index of a chunk of the context; default: the whole context.')),
    ),
    ...wishes,
  }),
  output: responseSchema,
  ...asking,
  async run(given, call) {
    const { chunk_index: chunk = null } = given;
    checkDepth(given);
    if (chunk !== null && (!Number.isInteger(chunk) || chunk < 0))
      throw new ToolFailure('invalid_chunk_index', `Chunk index must be >= 0, got ${chunk}`);
    return call.world.contexts.use(given.context_name, (found) => subQuery(found, given, chunk, call));
  },
  toText: ({ result }) => answerText(result),
});

const batchInput = z.object({
  query: words('The question, which is asked about each chunk separately.'),
  context_name: contextName,
  chunk_indices: z.array(z.number()).check(z.describe('Indexes of chunks, from 0; at most 1000.')),
  concurrency: z._default(z.number().check(z.describe('Maximum number of concurrent chunks, 1–8.')), 4),
  ...wishes,
});
type BatchRequest = z.infer<typeof batchInput>;

const itemSchema = z.object({
  chunk_index: z.number(),
  response: z.optional(z.string()),
  provider: z.optional(z.nullable(z.string())),
  model: z.optional(z.nullable(z.string())),
  confidence: z.optional(z.nullable(z.number())),
  run_id: z.optional(answerSchema.shape.run_id),
  citations: z.optional(answerSchema.shape.citations),
  warnings: z.optional(answerSchema.shape.warnings),
  recursion: z.optional(responseSchema.shape.recursion),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
});
type Item = z.infer<typeof itemSchema>;

const mostChunks = 1_000;
const mostConcurrent = 8;

function checkBatch({ name, chunks }: NamedContext, { concurrency, chunk_indices: indices }: BatchRequest): void {
  const wrong = (message: string) => new ToolFailure('invalid_chunk_indices', message);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > mostConcurrent)
    throw new ToolFailure('invalid_concurrency', `Concurrency must be between 1 and ${mostConcurrent}`);
  if (indices.length > mostChunks) throw wrong(`At most ${mostChunks} chunks can be asked at once`);
  const negative = indices.filter((index) => !Number.isInteger(index) || index < 0);
  if (negative.length > 0) throw wrong(`Chunk indices must be >= 0, got: ${negative.slice(0, 10)}`);
  if (chunks === null) throw notChunked(name);
  const beyond = indices.filter((index) => index >= chunks.length);
  if (beyond.length > 0) throw wrong(`Invalid chunk indices: ${beyond.slice(0, 10)} (max: ${chunks.length - 1})`);
}

/** Asks about a chunk, and returns a failure as an item. Throws when the client cancels the request. */
async function askChunk(found: NamedContext, given: BatchRequest, chunk: number, call: Call): Promise<Item> {
  try {
    const { provider, model, response, recursion, result } = await subQuery(found, given, chunk, call);
    const { confidence, run_id, citations, warnings } = result;
    return { chunk_index: chunk, response, provider, model, confidence, run_id, citations, warnings, recursion };
  } catch (error) {
    call.signal.throwIfAborted();
    const code = error instanceof ToolFailure ? error.code : 'provider_error';
    return { chunk_index: chunk, error: code, message: error instanceof Error ? error.message : String(error) };
  }
}

export const subQueryBatch = mcpTool({
  name: 'rlm_sub_query_batch',
  title: 'Ask about many chunks',
  about:
    'Asks the same question about many chunks of a context concurrently. A chunk that fails does not fail the others. To ask one question about a whole text, use rlm_ask: it finds the passages itself.',
  input: batchInput,
  output: z.object({
    status: z.literal('completed'),
    total_chunks: z.number(),
    successful: z.number(),
    failed: z.number(),
    concurrency: z.number(),
    results: z.array(itemSchema),
    recursion: z.object({ max_depth: z.number(), max_depth_reached: z.number(), total_recursive_calls: z.number() }),
  }),
  ...asking,
  async run(given, call) {
    const { chunk_indices: indices, concurrency, max_depth = 0 } = given;
    const results = await call.world.contexts.use(given.context_name, (found) => {
      checkBatch(found, given);
      checkDepth(given);
      const limiter = createLimiter(() => concurrency);
      const ask = (index: number) => limiter(() => askChunk(found, given, index, call), 'chunk', call.signal);
      return Promise.all(indices.map(ask));
    });
    const successful = results.filter(({ response }) => response !== undefined).length;
    return {
      ...{ status: 'completed', total_chunks: indices.length, successful, failed: results.length - successful },
      ...{ concurrency, results },
      recursion: {
        max_depth,
        max_depth_reached: Math.max(0, ...results.map(({ recursion }) => recursion?.depth_reached ?? 0)),
        total_recursive_calls: results.reduce((sum, { recursion }) => sum + (recursion?.call_trace.length ?? 0), 0),
      },
    };
  },
});
