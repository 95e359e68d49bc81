/** The chunks of named contexts. */
import type { ContextStore } from '../../context/document.ts';
import { createView } from '../../context/store/view.ts';
import { ToolError } from '../tool-error.ts';
import type { ContextPiece, NamedContext } from './contexts.ts';

/** Divides contexts into chunks. Each context is divided once. */
export interface ContextChunks {
  /** Returns the chunks of a context, which are the same at each call. */
  of(context: NamedContext): readonly ContextPiece[];
  /**
   * Returns a chunk as a context of its own, the same at each call with the same name.
   * @param name the name of the new context, such as `text#3`.
   * @param number counts from 1.
   * @throws ToolError when there is no such chunk.
   */
  open(name: string, base: NamedContext, number: number): NamedContext;
}

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

/** Creates the chunks of contexts whose names are unique. */
export function createContextChunks(): ContextChunks {
  const cuts = new Map<string, readonly ContextPiece[]>();
  const opened = new Map<string, NamedContext>();

  function of({ name, store, chunkBytes }: NamedContext): readonly ContextPiece[] {
    const known = cuts.get(name) ?? cutInto(store, chunkBytes);
    cuts.set(name, known);
    return known;
  }

  return {
    of,
    open(name, base, number) {
      const known = opened.get(name);
      if (known !== undefined) return known;
      const pieces = of(base);
      const piece = pieces[number - 1];
      if (piece === undefined) throw new ToolError(`${base.name} has chunks 1 to ${pieces.length}, and no ${number}.`);
      const about = `chunk ${number} of ${base.name}`;
      const chunk = { ...base, name, about, store: createView(base.store, range(piece)) };
      opened.set(name, chunk);
      return chunk;
    },
  };
}
