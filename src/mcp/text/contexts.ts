import { createHash, randomBytes } from 'node:crypto';
import {
  type Configuration,
  type Context,
  type GivenDocument,
  keepContext,
  keptContextNames,
  keptDocuments,
  openContext,
} from '../../index.ts';
import { ToolFailure } from '../tool-failure.ts';
import { type ContextChunk, type CutKind, countCharacters, cut } from './chunks.ts';

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
  /** The first 12 hex digits of the SHA-256 of the concatenated text of its documents. */
  readonly hash: string;
  /** The most recent division into chunks. Null when there is none. */
  cut: { readonly kind: CutKind; readonly size: number; readonly chunks: readonly ContextChunk[] } | null;
}

/** Texts by name, for the lifetime of a server. */
export interface Contexts {
  /**
   * Reads documents under a name. Closes a context that had the same name.
   * @throws ToolFailure `invalid_context_name`, `too_many_contexts`; RlmError like `openContext`.
   */
  load(name: string, from: string, documents: readonly GivenDocument[], signal: AbortSignal): Promise<NamedContext>;
  /** Saves a loaded context to the state folder, for later servers. Throws RlmError `output-unwritable`. */
  keep(name: string): Promise<void>;
  /** Returns a loaded context, or opens a saved one. Throws ToolFailure `context_not_found`; RlmError. */
  get(name: string): Promise<NamedContext>;
  /** Divides a context into chunks and stores the division with it. Throws like `get`. */
  cut(name: string, kind: CutKind, size: number): Promise<readonly ContextChunk[]>;
  list(): readonly NamedContext[];
  /** Returns the names of saved contexts that are not loaded. */
  kept(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const mostContexts = 100;
const namePattern = /^[A-Za-z0-9_-]{1,100}$/;

/** How contexts are named and read. */
export interface ContextsOptions {
  readonly configuration: Configuration;
  /**
   * Whether several clients may be connected. Then `load` adds a random suffix to each name, so that only the client
   * that loaded a context can use it.
   */
  readonly isShared: boolean;
}

async function hashOf(context: Context): Promise<string> {
  const hash = createHash('sha256');
  const step = 1024 * 1024;
  for (const [document, { bytes }] of context.documents.entries())
    for (let at = 0; at < bytes; at += step) hash.update(context.read(document, at, at + step));
  return hash.digest('hex').slice(0, 12);
}

/** Creates an empty collection of contexts. */
export function createContexts({ configuration, isShared }: ContextsOptions): Contexts {
  const named = new Map<string, NamedContext>();

  async function get(name: string): Promise<NamedContext> {
    const found = named.get(name);
    if (found !== undefined) {
      if (isShared) named.delete(name); // Keeps the map in order of use, the most recent last.
      named.set(name, found);
      return found;
    }
    const kept = namePattern.test(name) ? keptDocuments(name) : null;
    if (kept !== null) return add(name, kept.from, kept.documents, new AbortController().signal);
    const others = isShared ? [] : [...named.keys()].slice(0, 10);
    const hint = others.length > 0 ? `Loaded contexts: ${others.join(', ')}.` : 'Load one with rlm_load_context.';
    throw new ToolFailure('context_not_found', `Context '${name.slice(0, 100)}' not found. ${hint}`);
  }

  function checkName(name: string): void {
    if (!namePattern.test(name))
      throw new ToolFailure(
        'invalid_context_name',
        `Invalid context name: '${name.slice(0, 100)}'. Use up to 100 letters, digits, _ and -.`,
      );
    if (!isShared && !named.has(name) && named.size >= mostContexts)
      throw new ToolFailure(
        'too_many_contexts',
        `There are already ${mostContexts} contexts; reuse the name of one of them.`,
      );
  }

  /** Closes the least recently used context of a shared server that is full. Its clients cannot reuse a name. */
  async function makeRoom(): Promise<void> {
    const [oldest] = named;
    if (!isShared || named.size < mostContexts || oldest === undefined) return;
    named.delete(oldest[0]);
    await oldest[1].context.close();
  }

  async function add(
    name: string,
    from: string,
    documents: readonly GivenDocument[],
    signal: AbortSignal,
  ): Promise<NamedContext> {
    const context = await openContext({ documents, configuration, signal });
    const lines = context.documents.reduce((sum, document) => sum + document.lines, 0);
    const [length, hash] = [await countCharacters(context), await hashOf(context)];
    await makeRoom();
    const made: NamedContext = { name, from, context, length, lines, hash, cut: null };
    const before = named.get(name);
    named.set(name, made);
    await before?.context.close();
    return made;
  }

  return {
    get,
    load(wanted, from, documents, signal) {
      checkName(wanted);
      return add(isShared ? `${wanted}.${randomBytes(9).toString('base64url')}` : wanted, from, documents, signal);
    },
    async keep(name) {
      const { from, context } = await get(name);
      await keepContext(name.split('.')[0]!, from, context);
    },
    async cut(name, kind, size) {
      const found = await get(name);
      const chunks = await cut(found.context, kind, size);
      found.cut = { kind, size, chunks };
      return chunks;
    },
    list: () => (isShared ? [] : [...named.values()]),
    kept: async () => (await keptContextNames()).filter((name) => !named.has(name)),
    async close() {
      await Promise.all([...named.values()].map(({ context }) => context.close()));
      named.clear();
    },
  };
}
