import type { ContextStore } from '../../context/document.ts';
import type { Passage } from '../../state.ts';

/** A named part of the text. */
export interface NamedContext {
  /** `text` is all of it; `text/8000` the same, cut into chunks of that size; `text#3` the third chunk of `text`. */
  readonly name: string;
  /** How it was made, in a few words. */
  readonly about: string;
  readonly store: ContextStore;
  /** Size of its chunks, in bytes. */
  readonly chunkBytes: number;
}

/** Neighbouring passages of a context; the end is exclusive. */
export interface ContextPiece {
  readonly start: number;
  readonly end: number;
  /** Of text. */
  readonly bytes: number;
}

/** The named contexts of one exploration. */
export interface Contexts {
  /** In the order in which they were made. */
  list(): readonly NamedContext[];
  /**
   * The context of that name; the whole text where none is named.
   * @throws ToolError
   */
  get(name?: string): NamedContext;
  /**
   * Names a part of the text.
   * @param name null: one is made up.
   * @throws ToolError when the name is taken, or is none.
   */
  add(name: string | null, about: string, store: ContextStore): NamedContext;
  /** The chunks of a context; equal at each call. */
  chunks(context: NamedContext): readonly ContextPiece[];
  /** Returns passages of a context by index; they can be cited from then on. */
  show(context: NamedContext, indexes: readonly number[]): readonly Passage[];
  /**
   * Finds passages of a context that suit a query, the best first; they can be cited from then on.
   * @throws ToolError when no more searches may be made.
   */
  retrieve(context: NamedContext, query: string, characters: number): Promise<readonly Passage[]>;
}
