import * as z from 'zod/mini';
import { createView } from '../../context/store/view.ts';
import type { TreeNode } from '../../state.ts';
import type { Contexts } from '../contexts/contexts.ts';
import { beginningOf } from '../page.ts';
import { contextName, text, whole } from '../parameters.ts';
import { chunksOfLines, stretchesOf } from '../places.ts';
import type { Bounds, Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import type { SubQuery } from './questions.ts';

/** A question and its text. */
export const asked = z.object({
  question: text('the question; it must be understood by itself'),
  context: contextName,
  source: z.optional(z.string().check(z.describe('in place of a context: a document, or some of its lines'))),
  startLine: z.optional(whole(1, 1_000_000_000, 'first line of the document')),
  endLine: z.optional(whole(1, 1_000_000_000, 'last line of the document')),
});

type Asked = z.infer<typeof asked>;

/** Reads the question with its text: a named context, lines of a document, or all of the text. Throws ToolError. */
export function toSubQuery(
  { question, context: name, source, startLine, endLine }: Asked,
  contexts: Contexts,
): SubQuery {
  const context = contexts.get(name);
  const { store } = context;
  if (source) {
    const stretches = stretchesOf(store, source);
    const last = endLine ?? Number.POSITIVE_INFINITY;
    const indexes = stretches.flatMap((stretch) => chunksOfLines(store, stretch, startLine ?? 1, last));
    if (indexes.length === 0) throw new ToolError(`${source} has no lines ${startLine} to ${endLine} here.`);
    return { question, text: createView(store, indexes) };
  }
  return { question, text: context.name === contexts.get().name ? null : store };
}

const findingsOf = ({ steps }: TreeNode): string[] =>
  steps
    .flatMap(({ findings }) => findings)
    .filter(({ passage }) => passage !== null)
    .map(({ passage, description, evidence }) => `- [${passage}] ${description} "${evidence}"`);

/** Shows the outcome of a sub-query to the model that asked it. */
export function tell(node: TreeNode, bounds: Bounds): string {
  if (node.answer === null) return `It has no answer: ${node.error?.message ?? 'nothing was found'}`;
  const cited = node.citations.map(({ passage, source, startLine, endLine, quote }) => {
    const words = quote === null ? '' : ` "${quote}"`;
    return `- [${passage}] ${source}:${startLine}-${endLine}${words}`;
  });
  const why = node.status === 'partial' && node.error ? ` (in part: ${node.error.message})` : '';
  const list = (about: string, lines: readonly string[]) => (lines.length > 0 ? [`${about}:`, ...lines] : []);
  const all = [`Answer${why}: ${node.answer}`, ...list('It rests on', cited), ...list('It found', findingsOf(node))];
  return beginningOf(all.join('\n'), bounds);
}

export const subQuery: Tool<Asked> = {
  name: 'sub_query',
  about:
    'Has a question about a context, a chunk or some lines answered by a model that sees only those, with citations.',
  parameters: asked,
  example: { question: 'Which limits does this part set, and to what?', context: 'text#3' },
  needs: 'questions',
  async run(given, { contexts, questions, bounds }) {
    const refusal = questions!.refusal();
    if (refusal !== null) throw new ToolError(refusal);
    const [node] = await questions!.ask([toSubQuery(given, contexts)]);
    return tell(node!, bounds);
  },
};
