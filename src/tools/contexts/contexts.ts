import type { ContextStore } from '../../context/document.ts';
import type { Passage } from '../../state.ts';

/** A named part of the text. */
export interface NamedContext {
  /**
   * `text` is the whole text; `text/8000` the same, cut into chunks of that size; `text#3` the third chunk of `text`.
   */
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
  /** Returns the contexts in the order of their creation. */
  list(): readonly NamedContext[];
  /**
   * Returns the context of a name; without one, the whole text.
   * @throws ToolError
   */
  get(name?: string): NamedContext;
  /**
   * Names a part of the text.
   * @param name the name; null: a generated one.
   * @throws ToolError when the name is taken or invalid.
   */
  add(name: string | null, about: string, store: ContextStore): NamedContext;
  /** Returns the chunks of a context, which are the same at each call. */
  chunks(context: NamedContext): readonly ContextPiece[];
  /** Returns passages of a context by index; they can be cited from then on. */
  show(context: NamedContext, indexes: readonly number[]): readonly Passage[];
  /**
   * Finds passages of a context that match a query, the best first; they can be cited from then on.
   * @throws ToolError when no more searches may be made.
   */
  retrieve(context: NamedContext, query: string, characters: number): Promise<readonly Passage[]>;
}
