import * as z from 'zod/mini';
import { mcpTool } from '../tool.ts';

const output = z.object({
  contexts: z.array(
    z.object({
      name: z.string(),
      length: z.number(),
      lines: z.number(),
      chunked: z.boolean(),
      documents: z.number(),
      from: z.string(),
    }),
  ),
  kept: z
    .array(z.string())
    .check(z.describe('Names of contexts saved by earlier sessions; use them like loaded ones.')),
});

export const listContexts = mcpTool<Record<string, never>, z.infer<typeof output>>({
  name: 'rlm_list_contexts',
  title: 'List contexts',
  about: 'Lists the loaded contexts. Over HTTP, where other clients may be connected, it lists none.',
  input: z.object({}) as unknown as z.ZodMiniType<Record<string, never>>,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  async run(_, { world }) {
    return {
      contexts: world.contexts.list().map(({ name, length, lines, cut, context, from }) => ({
        name,
        length,
        lines,
        chunked: cut !== null,
        documents: context.documents.length,
        from,
      })),
      kept: [...(await world.contexts.kept())],
    };
  },
});
