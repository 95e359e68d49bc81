import { ToolFailure } from '../tool-failure.ts';
import type { NamedContext } from './named-context.ts';

/** The open contexts of a server, of which there is a maximum number. */
export interface OpenContexts {
  /** Returns a context and marks it as used. Null when it is not open. */
  find(name: string): NamedContext | null;
  /** Checks that a client may open a context of this name. Throws ToolFailure `too_many_contexts`. */
  checkRoom(name: string): void;
  /**
   * Adds a context. Closes one that had the same name, and, when a shared server is full, the least recently used one.
   */
  add(context: NamedContext): Promise<void>;
  has(name: string): boolean;
  /** Returns the contexts that all clients may see. */
  list(): readonly NamedContext[];
  /** Closes all contexts. */
  close(): Promise<void>;
}

const mostContexts = 100;

/**
 * Creates an empty collection.
 * @param isShared whether several clients may be connected, which may not see the contexts of each other.
 */
export function createOpenContexts(isShared: boolean): OpenContexts {
  const named = new Map<string, NamedContext>();

  /** Closes the least recently used context of a shared server that is full. Its clients cannot reuse a name. */
  async function makeRoom(): Promise<void> {
    const [oldest] = named;
    if (!isShared || named.size < mostContexts || oldest === undefined) return;
    named.delete(oldest[0]);
    await oldest[1].context.close();
  }

  return {
    find(name) {
      const found = named.get(name);
      if (found === undefined) return null;
      if (isShared) named.delete(name); // Keeps the map in order of use, the most recent last.
      named.set(name, found);
      return found;
    },
    checkRoom(name) {
      if (!isShared && !named.has(name) && named.size >= mostContexts)
        throw new ToolFailure(
          'too_many_contexts',
          `There are already ${mostContexts} contexts; reuse the name of one of them.`,
        );
    },
    async add(context) {
      await makeRoom();
      const before = named.get(context.name);
      named.set(context.name, context);
      await before?.context.close();
    },
    has: (name) => named.has(name),
    list: () => (isShared ? [] : [...named.values()]),
    async close() {
      await Promise.all([...named.values()].map(({ context }) => context.close()));
      named.clear();
    },
  };
}
