import * as z from 'zod/mini';
import { answerSchema } from '../asking/answers.ts';
import { contextName, wishes, wishesOf, words } from '../parameters.ts';
import { type Call, mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';
import { responseSchema, subQuery } from './sub-query.ts';

const input = z.object({
  query: words('The question, which is asked about each chunk separately.'),
  context_name: contextName,
  chunk_indices: z.array(z.number()).check(z.describe('Indexes of chunks, from 0; at most 1000.')),
  concurrency: z._default(z.number().check(z.describe('Maximum number of concurrent chunks, 1–8.')), 4),
  ...wishes,
});

type Given = z.infer<typeof input>;

const output = z.object({
  status: z.literal('completed'),
  total_chunks: z.number(),
  successful: z.number(),
  failed: z.number(),
  concurrency: z.number(),
  results: z.array(
    z.object({
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
    }),
  ),
  recursion: z.object({ max_depth: z.number(), max_depth_reached: z.number(), total_recursive_calls: z.number() }),
});

type Found = z.infer<typeof output>;
type Item = Found['results'][number];

const mostChunks = 1_000;

async function checkGiven(
  { concurrency, chunk_indices: indices, context_name: name }: Given,
  { world }: Call,
): Promise<void> {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 8)
    throw new ToolFailure('invalid_concurrency', 'Concurrency must be between 1 and 8');
  if (indices.length > mostChunks)
    throw new ToolFailure('invalid_chunk_indices', `At most ${mostChunks} chunks can be asked at once`);
  const negative = indices.filter((index) => !Number.isInteger(index) || index < 0);
  if (negative.length > 0)
    throw new ToolFailure('invalid_chunk_indices', `Chunk indices must be >= 0, got: ${negative.slice(0, 10)}`);
  const { cut } = await world.contexts.get(name);
  if (cut === null) throw new ToolFailure('context_not_chunked', `Context '${name}' has not been chunked yet`);
  const beyond = indices.filter((index) => index >= cut.chunks.length);
  if (beyond.length > 0)
    throw new ToolFailure(
      'invalid_chunk_indices',
      `Invalid chunk indices: ${beyond.slice(0, 10)} (max: ${cut.chunks.length - 1})`,
    );
}

/** Asks about one chunk. Returns a failure as an item; throws only when the client cancels the request. */
async function askChunk(given: Given, chunk: number, call: Call): Promise<Item> {
  const { query, context_name: contextName } = given;
  try {
    const found = await subQuery({ query, contextName, chunk, wishes: wishesOf(given) }, call);
    const { provider, model, response, recursion, result } = found;
    const { confidence, run_id, citations, warnings } = result;
    return { chunk_index: chunk, response, provider, model, confidence, run_id, citations, warnings, recursion };
  } catch (error) {
    call.signal.throwIfAborted();
    const code = error instanceof ToolFailure ? error.code : 'provider_error';
    return { chunk_index: chunk, error: code, message: error instanceof Error ? error.message : String(error) };
  }
}

export const subQueryBatch = mcpTool<Given, Found>({
  name: 'rlm_sub_query_batch',
  title: 'Ask about many chunks',
  about:
    'Asks the same question about many chunks of a context concurrently. A chunk that fails does not fail the others. To ask one question about a whole text, use rlm_ask: it finds the passages itself.',
  input,
  output,
  isReadOnly: false,
  isIdempotent: false,
  asksModel: true,
  async run(given, call) {
    await checkGiven(given, call);
    const wanted = wishesOf(given);
    const { chunk_indices: indices, concurrency } = given;
    const results: Item[] = new Array(indices.length);
    let next = 0;
    const work = async () => {
      for (let at = next++; at < indices.length; at = next++) results[at] = await askChunk(given, indices[at]!, call);
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, indices.length) }, work));
    const successful = results.filter(({ response }) => response !== undefined).length;
    const depths = results.map(({ recursion }) => recursion?.depth_reached ?? 0);
    const traces = results.map(({ recursion }) => recursion?.call_trace.length ?? 0);
    return {
      status: 'completed',
      total_chunks: indices.length,
      successful,
      failed: results.length - successful,
      concurrency,
      results,
      recursion: {
        max_depth: wanted.maxDepth ?? 0,
        max_depth_reached: Math.max(0, ...depths),
        total_recursive_calls: traces.reduce((sum, count) => sum + count, 0),
      },
    };
  },
});
