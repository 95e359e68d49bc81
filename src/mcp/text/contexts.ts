import { randomBytes } from 'node:crypto';
import { keepContext, keptContextNames, keptDocuments } from '../../api/kept-contexts.ts';
import { openContext } from '../../api/open-context.ts';
import type { Configuration } from '../../config/layers.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import { ToolFailure } from '../tool-failure.ts';
import { type ContextChunk, type CutKind, cut } from './chunks.ts';
import { type Locate, locateSame } from './locate.ts';
import { type NamedContext, nameContext } from './named-context.ts';
import { createOpenContexts } from './open-contexts.ts';

/** Texts by name, for the lifetime of a server. */
export interface Contexts {
  /**
   * Reads documents under a name. Closes a context that had the same name.
   * @param locate where their lines stand in the original documents, for lines taken from others.
   * @throws ToolFailure `invalid_context_name`, `too_many_contexts`; RlmError like `openContext`.
   */
  load(
    name: string,
    from: string,
    documents: readonly GivenDocument[],
    signal: AbortSignal,
    locate?: Locate,
  ): Promise<NamedContext>;
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

function checkName(name: string): void {
  if (!namePattern.test(name))
    throw new ToolFailure(
      'invalid_context_name',
      `Invalid context name: '${name.slice(0, 100)}'. Use up to 100 letters, digits, _ and -.`,
    );
}

function notFound(name: string, loaded: readonly NamedContext[]): ToolFailure {
  const names = loaded.slice(0, 10).map((context) => context.name);
  const hint = names.length > 0 ? `Loaded contexts: ${names.join(', ')}.` : 'Load one with rlm_load_context.';
  return new ToolFailure('context_not_found', `Context '${name.slice(0, 100)}' not found. ${hint}`);
}

/** Creates an empty collection of contexts. */
export function createContexts({ configuration, isShared }: ContextsOptions): Contexts {
  const opened = createOpenContexts(isShared);

  async function open(
    name: string,
    from: string,
    documents: readonly GivenDocument[],
    signal: AbortSignal,
    locate: Locate,
  ): Promise<NamedContext> {
    const made = await nameContext(name, from, await openContext({ documents, configuration, signal }), locate);
    await opened.add(made);
    return made;
  }

  async function get(name: string): Promise<NamedContext> {
    const found = opened.find(name);
    if (found !== null) return found;
    const kept = namePattern.test(name) ? keptDocuments(name) : null;
    if (kept !== null) return open(name, kept.from, kept.documents, new AbortController().signal, locateSame);
    throw notFound(name, opened.list());
  }

  return {
    get,
    load(wanted, from, documents, signal, locate = locateSame) {
      checkName(wanted);
      opened.checkRoom(wanted);
      const name = isShared ? `${wanted}.${randomBytes(9).toString('base64url')}` : wanted;
      return open(name, from, documents, signal, locate);
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
    list: opened.list,
    kept: async () => (await keptContextNames()).filter((name) => !opened.has(name)),
    close: opened.close,
  };
}
