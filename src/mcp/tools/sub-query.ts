import * as z from 'zod/mini';
import { answerSchema, answerText, recursionOf, toAnswer } from '../asking/answers.ts';
import { contextName, wishes, wishesOf, words } from '../parameters.ts';
import { chunkText, wholeDocument } from '../text/documents.ts';
import { type Call, mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

/** The result of one question about a context or a chunk. */
export const responseSchema = z.object({
  provider: z.nullable(z.string()),
  model: z.nullable(z.string()),
  response: z.string(),
  recursion: z.object({ max_depth: z.number(), depth_reached: z.number(), call_trace: z.array(z.string()) }),
  result: answerSchema,
});

type Response = z.infer<typeof responseSchema>;

const input = z.object({
  query: words('The question.'),
  context_name: contextName,
  chunk_index: z.optional(z.number().check(z.describe('Index of a chunk of the context; default: the whole context.'))),
  ...wishes,
});

/** The question of one tool call. */
export interface SubQueryRequest {
  readonly query: string;
  readonly contextName: string;
  /** The index of a chunk. Null for the whole context. */
  readonly chunk: number | null;
  readonly wishes: ReturnType<typeof wishesOf>;
}

/** Asks one question. Throws ToolFailure `provider_error` when there is no answer. */
export async function subQuery(
  { query, contextName: name, chunk, wishes: wanted }: SubQueryRequest,
  call: Call,
): Promise<Response> {
  const { world, signal, onEvent } = call;
  const found = await world.contexts.get(name);
  const text = chunk === null ? wholeDocument(found) : chunkText(found, chunk);
  const maxDepth = wanted.maxDepth ?? 0;
  const asked = { question: query, text, wishes: { ...wanted, maxDepth } };
  const result = await world.asking.ask(asked, signal, onEvent);
  const { answer, provider, model, error, recursionTree } = result;
  if (answer === null) throw new ToolFailure('provider_error', error?.message ?? 'there is no answer');
  return {
    provider,
    model,
    response: answer,
    recursion: recursionOf(recursionTree, maxDepth),
    result: toAnswer(result),
  };
}

export const subQueryTool = mcpTool<z.infer<typeof input>, Response>({
  name: 'rlm_sub_query',
  title: 'Ask about a context or a chunk',
  about:
    "Asks one question about a loaded context, or about one chunk of it, with the user's model; the text does not pass through you. max_depth 0 answers directly, 1–5 allows sub-questions.",
  input,
  output: responseSchema,
  isReadOnly: false,
  isIdempotent: false,
  asksModel: true,
  async run(given, call) {
    const { query, context_name: name, chunk_index: chunk = null } = given;
    const wanted = wishesOf(given);
    if (chunk !== null && (!Number.isInteger(chunk) || chunk < 0))
      throw new ToolFailure('invalid_chunk_index', `Chunk index must be >= 0, got ${chunk}`);
    return subQuery({ query, contextName: name, chunk, wishes: wanted }, call);
  },
  toText: ({ result }) => answerText(result),
});
