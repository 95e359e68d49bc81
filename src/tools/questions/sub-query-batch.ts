import * as z from 'zod/mini';
import type { Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { asked, tell, toSubQuery } from './sub-query.ts';

const most = 8;

const parameters = z.object({
  queries: z.array(asked).check(z.minLength(1), z.maxLength(most), z.describe('each as for sub_query')),
});

export const subQueryBatch: Tool<z.infer<typeof parameters>> = {
  name: 'sub_query_batch',
  about: `Has up to ${most} questions answered at once, each as sub_query does.`,
  parameters,
  example: {
    queries: [
      { question: 'Which limits does this part set?', context: 'text#1' },
      { question: 'Which limits does this part set?', context: 'text#2' },
    ],
  },
  needs: 'questions',
  async run({ queries }, { contexts, questions, bounds }) {
    const refusal = questions!.refusal();
    if (refusal !== null) throw new ToolError(refusal);
    const nodes = await questions!.ask(queries.map((query) => toSubQuery(query, contexts)));
    const each = {
      characters: Math.floor(bounds.characters / nodes.length) - 20,
      lines: Math.max(2, Math.floor(bounds.lines / nodes.length) - 1),
    };
    return nodes.map((node, index) => `Query ${index + 1}: ${tell(node, each)}`).join('\n');
  },
};
