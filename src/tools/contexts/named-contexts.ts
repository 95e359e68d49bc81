import { nearest } from '../../base/nearest.ts';
import type { ContextStore } from '../../context/document.ts';
import { createView } from '../../context/store/view.ts';
import type { Passage } from '../../state.ts';
import { ToolError } from '../tool-error.ts';
import type { ContextPiece, Contexts, NamedContext } from './contexts.ts';

/** What an exploration gives to its contexts. */
export interface ContextParts {
  /** All of the text. */
  readonly store: ContextStore;
  /** Default size of a chunk, in bytes. */
  readonly chunkBytes: number;
  /** Returns passages of the whole text by index; they can be cited from then on. */
  show(indexes: readonly number[]): readonly Passage[];
  /** Finds passages of the text, or of a part of it, that suit a query. */
  retrieve(part: ContextStore | null, query: string, characters: number): Promise<readonly Passage[]>;
}

const whole = 'text';
const smallestChunk = 200;
const mostContexts = 100;

function cutInto(store: ContextStore, chunkBytes: number): ContextPiece[] {
  const pieces: ContextPiece[] = [];
  let [start, bytes] = [0, 0];
  for (let index = 0; index < store.chunkCount; index++) {
    const { startByte, endByte } = store.chunk(index);
    const size = endByte - startByte;
    if (index > start && bytes + size > chunkBytes) {
      pieces.push({ start, end: index, bytes });
      [start, bytes] = [index, 0];
    }
    bytes += size;
  }
  return start < store.chunkCount ? [...pieces, { start, end: store.chunkCount, bytes }] : pieces;
}

const range = ({ start, end }: ContextPiece): number[] =>
  Array.from({ length: end - start }, (_, step) => start + step);

/** Creates the contexts of one text: at first the whole. */
export function createContexts(parts: ContextParts): Contexts {
  const { store, chunkBytes } = parts;
  const named = new Map<string, NamedContext>([[whole, { name: whole, about: 'all of the text', store, chunkBytes }]]);
  const parted = new Map<string, NamedContext>();
  const cuts = new Map<string, readonly ContextPiece[]>();

  function chunks({ name, store: part, chunkBytes: size }: NamedContext): readonly ContextPiece[] {
    const known = cuts.get(name) ?? cutInto(part, size);
    cuts.set(name, known);
    return known;
  }

  function unknown(name: string): ToolError {
    const near = nearest(name, [...named.keys()]);
    const hint = near ? `; did you mean "${near}"?` : '.';
    const names = [...named.keys()].slice(0, 10).join(', ');
    return new ToolError(
      `there is no context "${name}"${hint} There ${named.size === 1 ? 'is only' : 'are'} ${names}.`,
    );
  }

  function chunkOf(name: string, base: NamedContext, number: number): NamedContext {
    const known = parted.get(name);
    if (known !== undefined) return known;
    const pieces = chunks(base);
    const piece = pieces[number - 1];
    if (piece === undefined) throw new ToolError(`${base.name} has chunks 1 to ${pieces.length}, and no ${number}.`);
    const part = {
      ...base,
      name,
      about: `chunk ${number} of ${base.name}`,
      store: createView(base.store, range(piece)),
    };
    parted.set(name, part);
    return part;
  }

  /** `text`, `text/8000`, `text#3`, `text/8000#3` */
  function get(given?: string): NamedContext {
    const name = given || whole;
    const [, base = '', size, number] = /^([^/#]*)(?:\/(\d+))?(?:#(\d+))?$/.exec(name.trim()) ?? [];
    const own = named.get(base);
    if (own === undefined) throw unknown(name);
    const cut =
      size === undefined ? own : { ...own, name: `${base}/${size}`, chunkBytes: Math.max(smallestChunk, Number(size)) };
    return number === undefined ? cut : chunkOf(name, cut, Number(number));
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
    chunks,
    show: (context, indexes) =>
      parts.show(indexes.map((index) => store.indexOf(`P${context.store.chunk(index).number}`))),
    retrieve: (context, query, characters) =>
      parts.retrieve(context.store === store ? null : context.store, query, characters),
  };
}
