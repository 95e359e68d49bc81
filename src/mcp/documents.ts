/** The text that a request is about. */
import type { Context, GivenDocument } from '../index.ts';
import type { NamedContext } from './contexts.ts';
import { textOf } from './pieces.ts';
import type { Call } from './tool.ts';
import { ToolFailure } from './tool-failure.ts';

const stepBytes = 1024 * 1024;

async function* bytesOf(context: Context, document: number): AsyncGenerator<Uint8Array> {
  const { bytes } = context.documents[document]!;
  for (let at = 0; at < bytes; at += stepBytes) yield context.read(document, at, at + stepBytes);
}

/** All documents of a context, or one piece of it, which is named after its place. */
export function documentsOf({ name, context, cut }: NamedContext, index: number | null): GivenDocument[] {
  if (index !== null) {
    const piece = cut?.pieces[index];
    if (piece === undefined) throw new ToolFailure('chunk_not_available', `Chunk ${index} not available`);
    const { name: source } = context.documents[piece.document]!;
    const place = `${source} lines ${piece.startLine}-${piece.endLine}`;
    return [{ name: source === name ? `${name}#${index}` : place, text: textOf(context, piece) }];
  }
  return context.documents.map(({ name: source }, document) => ({
    name: source,
    text: bytesOf(context, document),
    encoding: 'utf-8' as const,
  }));
}

/** Files under the roots. Throws ToolFailure `path_not_allowed` where there are no roots; RlmError `input-missing`. */
export async function filesAt(paths: readonly string[], { world, signal }: Call): Promise<GivenDocument[]> {
  const { files } = world;
  if (files === null)
    throw new ToolFailure(
      'path_not_allowed',
      'No folder may be read: the user has named none (rlm mcp --root DIR). Give the text itself as content.',
    );
  const found: GivenDocument[] = [];
  for (const path of paths) found.push(...(await files.find(path, signal)));
  const names = new Set<string>();
  return found.filter(({ name }) => !names.has(name) && names.add(name));
}
