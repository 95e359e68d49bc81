import * as z from 'zod/mini';
import type { Passage } from '../../state.ts';
import { contextName, whole } from '../parameters.ts';
import { clipToLines, shownPassages } from '../passages.ts';
import { chunksOfLines, type Stretch, stretchesOf, stretchOf } from '../places.ts';
import type { Tool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import type { NamedContext } from './contexts.ts';

const mostLines = 1_000_000_000;

const parameters = z.object({
  source: z.optional(z.string().check(z.describe('name of the document; not needed where there is only one'))),
  startLine: whole(1, mostLines, 'first line, from 1'),
  endLine: z.optional(whole(1, mostLines, 'last line; default: as many as may be shown')),
  context: contextName,
});

function stretchesFor({ store }: NamedContext, source: string | undefined): readonly Stretch[] {
  if (source) return stretchesOf(store, source);
  if (store.documents.length === 1) return [stretchOf(store, 0)];
  throw new ToolError(`there are ${store.documents.length} documents here; name one as "source".`);
}

function outside({ store }: NamedContext, stretches: readonly Stretch[]): ToolError {
  const ranges = stretches.map(({ document, source, linesBefore }) => {
    const { lines } = store.documents[document]!;
    return `${source} has lines ${linesBefore + 1} to ${linesBefore + lines} here`;
  });
  return new ToolError(`there are no such lines: ${ranges.slice(0, 3).join('; ')}.`);
}

/** Returns the last shown line of passages, and whether all of them are shown. */
function endOf(passages: readonly Passage[], text: string, shown: number) {
  const last = passages[shown - 1]!;
  const isCut = text.endsWith('characters are left out)');
  const lines = text.split('\n').length - 2;
  return isCut ? last.startLine + Math.max(0, lines - 1) : last.endLine;
}

export const peekContext: Tool<z.infer<typeof parameters>> = {
  name: 'peek_context',
  about: 'Shows lines of a document, with the passages that they belong to.',
  parameters,
  example: { source: 'notes.md', startLine: 40, endLine: 60 },
  needs: 'text',
  async run({ source, startLine, endLine, context: name }, { contexts, bounds }) {
    const context = contexts.get(name);
    const last = Math.max(startLine, endLine ?? startLine + bounds.lines);
    const stretches = stretchesFor(context, source);
    const indexes = stretches.flatMap((stretch) => chunksOfLines(context.store, stretch, startLine, last));
    if (indexes.length === 0) throw outside(context, stretches);
    const most = indexes.slice(0, bounds.lines);
    const passages = contexts.show(context, most).map((passage) => clipToLines(passage, startLine, last));
    const { text, shown } = shownPassages(passages, bounds);
    const end = endOf(passages, text, shown);
    const wasAll = shown === indexes.length && end >= passages.at(-1)!.endLine;
    const next = JSON.stringify({ source: passages[0]!.source, startLine: end + 1 });
    return wasAll ? text : `${text}\n… more lines follow: peek_context ${next}`;
  },
};
