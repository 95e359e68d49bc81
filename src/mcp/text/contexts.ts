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

/** A text that a client has given a name. */
export interface NamedContext {
  /** What the client calls it by. */
  readonly name: string;
  /** Where it came from: content, a path, or a filter of another one. */
  readonly from: string;
  readonly context: Context;
  /** In characters (code points). */
  readonly length: number;
  readonly lines: number;
  /** First 12 hex digits of the SHA-256 of its documents' text, one after the other. */
  readonly hash: string;
  /** How it was cut last; null: not yet. */
  cut: { readonly kind: CutKind; readonly size: number; readonly chunks: readonly ContextChunk[] } | null;
}

/** Texts by name, as long as a connection lasts. */
export interface Contexts {
  /**
   * Reads documents and gives them a name; a context that had it before is let go.
   * @throws ToolFailure `invalid_context_name`, `too_many_contexts`; what `openContext` throws.
   */
  load(name: string, from: string, documents: readonly GivenDocument[], signal: AbortSignal): Promise<NamedContext>;
  /** Keeps a loaded context in the state folder, for servers to come. Throws RlmError `output-unwritable`. */
  keep(name: string): Promise<void>;
  /** A context that was loaded, or else one that was kept. Throws ToolFailure `context_not_found`; RlmError. */
  get(name: string): Promise<NamedContext>;
  /** Cuts it, and remembers how. */
  cut(name: string, kind: CutKind, size: number): Promise<readonly ContextChunk[]>;
  list(): readonly NamedContext[];
  /** Names of contexts that are kept and not loaded. */
  kept(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const mostContexts = 100;
const namePattern = /^[A-Za-z0-9_-]{1,100}$/;

/** How contexts are named and read. */
export interface ContextsOptions {
  readonly configuration: Configuration;
  /**
   * Whether several clients may be connected: then a name that is given gets an ending that nobody can guess, and only
   * who was told it can use the context.
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

/** No contexts yet. */
export function createContexts({ configuration, isShared }: ContextsOptions): Contexts {
  const named = new Map<string, NamedContext>();

  async function get(name: string): Promise<NamedContext> {
    const found = named.get(name);
    if (found !== undefined) {
      if (isShared) named.delete(name); // What was used last stands last.
      named.set(name, found);
      return found;
    }
    const kept = namePattern.test(name) ? keptDocuments(name) : null;
    if (kept !== null) return add(name, kept.from, kept.documents, new AbortController().signal);
    const others = isShared ? [] : [...named.keys()].slice(0, 10);
    const hint = others.length > 0 ? `There are: ${others.join(', ')}.` : 'Load one with rlm_load_context.';
    throw new ToolFailure('context_not_found', `Context '${name.slice(0, 100)}' not found. ${hint}`);
  }

  function checkName(name: string): void {
    if (!namePattern.test(name))
      throw new ToolFailure(
        'invalid_context_name',
        `Invalid context name: '${name.slice(0, 100)}'. Use up to 100 letters, digits, _ and -.`,
      );
    if (!isShared && !named.has(name) && named.size >= mostContexts)
      throw new ToolFailure('too_many_contexts', `There are ${mostContexts} contexts already; load into one of those.`);
  }

  /** Nobody but who loaded a shared context can load into it again: the one that was used longest ago makes room. */
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
