import * as z from 'zod/mini';
import { openContext } from '../../api/open-context.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import { ToolFailure } from '../arguments.ts';
import type { AskedText } from '../asking/asking.ts';
import type { Call } from '../tool.ts';
import { chunkTextOf } from './chunks.ts';
import { type FoundLines, type Locate, located, locateSame, type NamedContext, placeOfLine } from './contexts.ts';

/** The fields of a tool's output that state the place of a result. */
export const placeFields = { source: z.string(), start_line: z.number(), end_line: z.number() };

/** The field that lists the lines of a result. */
export const linesField = {
  lines: z
    .optional(z.string())
    .check(z.describe('The lines, such as "10, 17-18", if lines between them were filtered out.')),
};

/** Returns the place of a result in the original document. */
export function linesAt(found: FoundLines, locate: Locate) {
  const { source, startLine, endLine, lines } = located(found, locate);
  return { source, start_line: startLine, end_line: endLine, ...(lines && { lines }) };
}

/** Returns one chunk as a text of its own. Throws ToolFailure `chunk_not_available`. */
export function chunkText({ name, context, chunks, locate }: NamedContext, index: number): AskedText {
  const chunk = chunks?.[index];
  if (chunk === undefined) throw new ToolFailure('chunk_not_available', `Chunk ${index} not available`);
  const { name: source, isExtracted } = context.documents[chunk.document]!;
  const place = `${source} lines ${chunk.startLine}-${chunk.endLine}`;
  const shown = source === name ? `${name}#${index}` : place;
  const document = { name: shown, text: chunkTextOf(context, chunk), isExtracted };
  const placeOf = (line: number) => placeOfLine(locate, source, chunk.startLine + line - 1);
  return { documents: [document], locate: (asked) => (asked === shown ? placeOf : null) };
}

export const wholeDocument = ({ context, locate }: NamedContext): AskedText => ({ context, locate });

/** Finds files under the roots. Throws ToolFailure `path_not_allowed` without roots; RlmError `input-missing`. */
export async function filesAt(paths: readonly string[], { world, signal }: Call): Promise<GivenDocument[]> {
  const { files } = world;
  if (files === null)
    throw new ToolFailure(
      'path_not_allowed',
      'The user has allowed no folder (rlm mcp --root DIR). Give the text itself as content.',
    );
  const found: GivenDocument[] = [];
  for (const path of paths) found.push(...(await files.find(path, signal)));
  const names = new Set<string>();
  return found.filter(({ name }) => !names.has(name) && names.add(name));
}

/** Without `context` and `paths`, the text is the server's index; without an index, all files under the roots. */
interface GivenText {
  readonly context?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** Passes the text of a request to `use`. Throws ToolFailure; the errors of `openContext`. */
export async function withDocumentText<T>(
  { context, paths }: GivenText,
  call: Call,
  use: (text: Pick<NamedContext, 'context' | 'locate'>) => Promise<T>,
): Promise<T> {
  const { contexts, files, index, configuration } = call.world;
  if (context !== undefined) return contexts.use(context, use);
  const text =
    paths === undefined && index !== null ? { index } : { documents: await filesAt(paths ?? files?.roots ?? [], call) };
  const opened = await openContext({ ...text, configuration, signal: call.signal });
  try {
    return await use({ context: opened, locate: locateSame });
  } finally {
    await opened.close();
  }
}
