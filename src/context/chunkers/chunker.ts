/** A chunk's place in its document: a range of whole lines, or of a part of them. */
export interface ChunkRange {
  /** From 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
}

/** Told of each chunk, in the order of the text. */
export type Emit = (place: ChunkRange) => void;

/** Cuts one document into chunks while its text comes in. How the text was divided into blocks changes no chunk. */
export interface Chunker {
  /** The next bytes, any number of them. They may be overwritten afterwards. */
  write(bytes: Uint8Array): void;
  /**
   * Loads what `end` makes use of; to be awaited after the last `write`. Where it was left out, `end` does with less.
   * Never rejects.
   */
  prepare?(): Promise<void>;
  /**
   * The text is over: gives the last chunks. Returns how many lines there were; a trailing line feed begins no
   * other.
   */
  end(): number;
}
