import { nearest } from '../../base/nearest.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Passage } from '../../state.ts';
import { ToolError } from '../tool-error.ts';
import { createContextChunks } from './context-chunks.ts';
import type { Contexts, NamedContext } from './contexts.ts';

/** What an exploration provides to its contexts. */
export interface ContextParts {
  /** All of the text. */
  readonly store: ContextStore;
  /** Default size of a chunk, in bytes. */
  readonly chunkBytes: number;
  /** Returns passages of the whole text by index; they can be cited from then on. */
  show(indexes: readonly number[]): readonly Passage[];
  /** Finds passages of the text, or of a part of it, that match a query. */
  retrieve(part: ContextStore | null, query: string, characters: number): Promise<readonly Passage[]>;
}

const whole = 'text';
const smallestChunk = 200;
const mostContexts = 100;

function unknown(name: string, known: readonly string[]): ToolError {
  const near = nearest(name, known);
  const hint = near ? `; did you mean "${near}"?` : '.';
  const names = known.slice(0, 10).join(', ');
  return new ToolError(
    `there is no context "${name}"${hint} There ${known.length === 1 ? 'is only' : 'are'} ${names}.`,
  );
}

/** Creates the contexts of one text, beginning with the whole text. */
export function createContexts(parts: ContextParts): Contexts {
  const { store, chunkBytes } = parts;
  const named = new Map<string, NamedContext>([[whole, { name: whole, about: 'all of the text', store, chunkBytes }]]);
  const chunks = createContextChunks();

  /** Resolves `text`, `text/8000`, `text#3` and `text/8000#3`. */
  function get(given?: string): NamedContext {
    const name = given || whole;
    const [, base = '', size, number] = /^([^/#]*)(?:\/(\d+))?(?:#(\d+))?$/.exec(name.trim()) ?? [];
    const own = named.get(base);
    if (own === undefined) throw unknown(name, [...named.keys()]);
    const cut =
      size === undefined ? own : { ...own, name: `${base}/${size}`, chunkBytes: Math.max(smallestChunk, Number(size)) };
    return number === undefined ? cut : chunks.open(name, cut, Number(number));
  }

  function freeName(): string {
    let number = named.size;
    while (named.has(`part-${number}`)) number += 1;
    return `part-${number}`;
  }

  return {
    list: () => [...named.values()],
    get,
    add(given, about, part) {
      const name = given ?? freeName();
      if (!/^[\p{L}\p{N}_-]{1,40}$/u.test(name))
        throw new ToolError(`"${name}" is no name for a context: take up to 40 letters, digits, _ and -.`);
      if (named.has(name)) throw new ToolError(`there is a context "${name}" already; take another name.`);
      if (named.size >= mostContexts) throw new ToolError(`there are ${mostContexts} contexts already; use those.`);
      const made = { name, about, store: part, chunkBytes };
      named.set(name, made);
      return made;
    },
    chunks: chunks.of,
    show: (context, indexes) =>
      parts.show(indexes.map((index) => store.indexOf(`P${context.store.chunk(index).number}`))),
    retrieve: (context, query, characters) =>
      parts.retrieve(context.store === store ? null : context.store, query, characters),
  };
}
