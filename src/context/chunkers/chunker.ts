/** A chunk's place in its document: a range of whole lines, or of a part of them. */
export interface ChunkPlace {
  /** From 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
}

/** Receives each chunk, in text order. */
export type Emit = (place: ChunkPlace) => void;

/** Cuts one document into chunks while its text arrives. The chunks do not depend on the block size of the text. */
export interface Chunker {
  /** Takes the next bytes, any number of them. The caller may overwrite them afterwards. */
  write(bytes: Uint8Array): void;
  /** Loads what `end` uses; await it after the last `write`. Without it, `end` cuts less well. Never rejects. */
  prepare?(): Promise<void>;
  /**
   * Ends the text and emits the last chunks. Returns the number of lines; a trailing line feed does not begin another
   * line.
   */
  end(): number;
}
