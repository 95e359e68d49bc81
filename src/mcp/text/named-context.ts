import { createHash } from 'node:crypto';
import type { Context } from '../../api/open-context.ts';
import { type ContextChunk, type CutKind, countCharacters } from './chunks.ts';
import type { Locate } from './locate.ts';

/** A text that a client loaded under a name. */
export interface NamedContext {
  /** The name that the client uses. */
  readonly name: string;
  /** The origin of the text: content, a path, or a filter of another context. */
  readonly from: string;
  readonly context: Context;
  /** In characters (code points). */
  readonly length: number;
  readonly lines: number;
  /** Where its lines stand in the original documents. */
  readonly locate: Locate;
  /** The first 12 hex digits of the SHA-256 of the concatenated text of its documents. */
  readonly hash: string;
  /** The most recent division into chunks. Null when there is none. */
  cut: { readonly kind: CutKind; readonly size: number; readonly chunks: readonly ContextChunk[] } | null;
}

async function hashOf(context: Context): Promise<string> {
  const hash = createHash('sha256');
  const step = 1024 * 1024;
  for (const [document, { bytes }] of context.documents.entries())
    for (let at = 0; at < bytes; at += step) hash.update(context.read(document, at, at + step));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Measures an open context and gives it a name. Throws when its text cannot be read.
 * @param locate where its lines stand in the original documents.
 */
export async function nameContext(name: string, from: string, context: Context, locate: Locate): Promise<NamedContext> {
  const lines = context.documents.reduce((sum, document) => sum + document.lines, 0);
  const [length, hash] = [await countCharacters(context), await hashOf(context)];
  return { name, from, context, length, lines, locate, hash, cut: null };
}
