import { createHash, randomBytes } from 'node:crypto';
import { keepContext, keptContextNames, keptDocuments } from '../../api/kept-contexts.ts';
import { type Context, openContext } from '../../api/open-context.ts';
import type { Configuration } from '../../config/layers.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import type { Passage } from '../../state.ts';
import { ToolFailure } from '../arguments.ts';
import { type ContextChunk, contextCharacters } from './chunks.ts';

interface Place {
  readonly source: string;
  readonly line: number;
}

/** Maps the lines (from 1) of a derived text to the original. Null for other sources, such as those of a server. */
export type Locate = (source: string) => ((line: number) => Place) | null;

export const locateSame: Locate = () => null;

export const placeOfLine = (locate: Locate, source: string, line: number): Place =>
  locate(source)?.(line) ?? { source, line };

export type FoundLines = Pick<Passage, 'source' | 'startLine' | 'endLine'>;

/** `lines` lists the lines of a result, such as `10, 17-18`. Absent if the result contains every line of its range. */
export type LocatedLines = FoundLines & { readonly lines?: string };

/** Replaces the place of a result in a derived text with its place in the original document. */
export function located<T extends FoundLines>(found: T, locate: Locate): T & LocatedLines {
  const placeOf = locate(found.source);
  if (placeOf === null) return found;
  const places = Array.from({ length: found.endLine - found.startLine + 1 }, (_, at) => placeOf(found.startLine + at));
  const numbers = places.map(({ line }) => line);
  const starts = numbers.filter((line, at) => line - 1 !== numbers[at - 1]);
  const ends = numbers.filter((line, at) => line + 1 !== numbers[at + 1]);
  const ranges = starts.map((start, at) => (start === ends[at] ? `${start}` : `${start}-${ends[at]}`));
  const place = { source: places[0]!.source, startLine: starts[0]!, endLine: ends.at(-1)! };
  return { ...found, ...place, ...(ranges.length > 1 && { lines: ranges.join(', ') }) };
}

/** A text that a client loaded under a name. */
export interface NamedContext {
  readonly name: string;
  /** The origin of the text: `content`, a path, or `NAME filtered by PATTERN`. */
  readonly from: string;
  readonly context: Context;
  /** In characters (code points). */
  readonly length: number;
  readonly lines: number;
  readonly locate: Locate;
  /** First 12 hex digits of the SHA-256 of its text. */
  readonly hash: string;
  /** The chunks that the last `rlm_chunk_context` made; null if it was not called yet. */
  chunks: readonly ContextChunk[] | null;
  /** Number of calls that use the context now. The context stays open until they end. */
  users: number;
}

const namePattern = /^[A-Za-z0-9_-]{1,100}$/;
const mostContexts = 100;
const stepBytes = 1024 * 1024;

function hashOf(context: Context): string {
  const hash = createHash('sha256');
  for (const [document, { bytes }] of context.documents.entries())
    for (let at = 0; at < bytes; at += stepBytes) hash.update(context.read(document, at, at + stepBytes));
  return hash.digest('hex').slice(0, 12);
}

async function measured(name: string, from: string, context: Context, locate: Locate): Promise<NamedContext> {
  const lines = context.documents.reduce((sum, document) => sum + document.lines, 0);
  const [length, hash] = [await contextCharacters(context), hashOf(context)];
  return { name, from, context, length, lines, locate, hash, chunks: null, users: 0 };
}

function checkName(name: string): void {
  if (namePattern.test(name)) return;
  const about = 'Use up to 100 letters, digits, _ and -.';
  throw new ToolFailure('invalid_context_name', `Invalid context name: '${name.slice(0, 100)}'. ${about}`);
}

function notFound(name: string, loaded: readonly NamedContext[]): ToolFailure {
  const names = loaded.slice(0, 10).map((context) => context.name);
  const hint = names.length > 0 ? `Loaded contexts: ${names.join(', ')}.` : 'Load one with rlm_load_context.';
  return new ToolFailure('context_not_found', `Context '${name.slice(0, 100)}' not found. ${hint}`);
}

const tooMany = `There are already ${mostContexts} contexts; reuse the name of one of them.`;

function createNamed(openKept: (name: string) => Promise<NamedContext>, isShared: boolean) {
  /** On a shared server, the most recently used context is last. */
  const named = new Map<string, NamedContext>();
  const opening = new Map<string, Promise<void>>();

  /** Closes a context that no call uses and that is no longer stored under its name. */
  async function closeUnused(context: NamedContext | undefined): Promise<void> {
    if (context?.users === 0 && named.get(context.name) !== context) await context.context.close();
  }

  /** Adds a context. If a shared server is full, it first drops the least recently used context. */
  async function add(context: NamedContext): Promise<void> {
    const [oldest] = named;
    if (isShared && named.size >= mostContexts && oldest !== undefined) {
      named.delete(oldest[0]);
      await closeUnused(oldest[1]);
    }
    const before = named.get(context.name);
    named.set(context.name, context);
    await closeUnused(before);
  }

  /** Opens and adds a kept context. Closes it again if another call has added a context of that name meanwhile. */
  function addKept(name: string): Promise<void> {
    const keep = (opened: NamedContext) => (named.has(name) ? closeUnused(opened) : add(opened));
    const adding = opening.get(name) ?? openKept(name).then(keep);
    opening.set(name, adding);
    return adding.finally(() => opening.delete(name));
  }

  /**
   * Passes a context to `work`, and keeps it open until `work` ends, even if another context takes its name.
   * @throws ToolFailure `context_not_found`; RlmError.
   */
  async function use<T>(name: string, work: (context: NamedContext) => Promise<T>): Promise<T> {
    if (!named.has(name)) await addKept(name);
    const found = named.get(name)!;
    if (isShared) named.delete(name);
    named.set(name, found);
    found.users += 1;
    try {
      return await work(found);
    } finally {
      found.users -= 1;
      await closeUnused(found);
    }
  }

  return { named, add, use };
}

/**
 * Creates the contexts of a server.
 * @param isShared whether several clients may be connected. If so, each name gets a suffix that nobody can guess.
 */
export function createContexts(configuration: Configuration, isShared: boolean) {
  const { named, add, use } = createNamed(openKept, isShared);
  const list = (): readonly NamedContext[] => (isShared ? [] : [...named.values()]);

  async function open(
    name: string,
    from: string,
    documents: readonly GivenDocument[],
    signal: AbortSignal,
    locate = locateSame,
  ): Promise<NamedContext> {
    return measured(name, from, await openContext({ documents, configuration, signal }), locate);
  }

  async function openKept(name: string): Promise<NamedContext> {
    const kept = namePattern.test(name) ? keptDocuments(name) : null;
    if (kept === null) throw notFound(name, list());
    return open(name, kept.from, kept.documents, new AbortController().signal);
  }

  return {
    use,
    /**
     * Loads documents as a named context. Replaces a context of the same name.
     * @param locate maps lines of derived documents to the originals.
     * @throws ToolFailure `invalid_context_name`, `too_many_contexts`; RlmError like `openContext`.
     */
    async load(...[wanted, ...rest]: Parameters<typeof open>): Promise<NamedContext> {
      checkName(wanted);
      if (!isShared && !named.has(wanted) && named.size >= mostContexts)
        throw new ToolFailure('too_many_contexts', tooMany);
      const opened = await open(isShared ? `${wanted}.${randomBytes(9).toString('base64url')}` : wanted, ...rest);
      await add(opened);
      return opened;
    },
    /** Saves a context for later servers. Throws RlmError `output-unwritable`. */
    keep: (name: string): Promise<void> =>
      use(name, ({ from, context }) => keepContext(name.split('.')[0]!, from, context)),
    /** Lists no contexts on a shared server, because the names are secret. */
    list,
    kept: async () => (await keptContextNames()).filter((name) => !named.has(name)),
    async close(): Promise<void> {
      await Promise.all([...named.values()].map(({ context }) => context.close()));
      named.clear();
    },
  };
}
