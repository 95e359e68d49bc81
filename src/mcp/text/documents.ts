/** The text that a request is about. */
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import type { RunnerText } from '../asking/runner.ts';
import type { Call } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';
import { chunkTextOf } from './chunks.ts';
import type { NamedContext } from './named-context.ts';

/**
 * Returns one chunk of a context as a text of its own, with a document named after its lines.
 * @throws ToolFailure `chunk_not_available`.
 */
export function chunkText({ name, context, cut, locate }: NamedContext, index: number): RunnerText {
  const chunk = cut?.chunks[index];
  if (chunk === undefined) throw new ToolFailure('chunk_not_available', `Chunk ${index} not available`);
  const { name: source } = context.documents[chunk.document]!;
  const place = `${source} lines ${chunk.startLine}-${chunk.endLine}`;
  const document = { name: source === name ? `${name}#${index}` : place, text: chunkTextOf(context, chunk) };
  return { documents: [document], locate: (_, line) => locate(source, chunk.startLine + line - 1) };
}

/** Returns a whole context as the text of a question. */
export const wholeDocument = ({ context, locate }: NamedContext): RunnerText => ({ context, locate });

/** Reads files under the roots. Throws ToolFailure `path_not_allowed` without roots; RlmError `input-missing`. */
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
