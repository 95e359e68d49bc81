/** A document that code in a sandbox may read. */
export interface SourceDocument {
  readonly name: string;
  /** Size of its text as UTF-8. */
  readonly bytes: number;
}

/** The text that code in a sandbox looks at; it is read a part at a time, where it is. */
export interface TextSource {
  readonly documents: readonly SourceDocument[];
  /**
   * Bytes of a document, by its index. Throws the system's error.
   * @param room may be used for them, and is large enough.
   */
  read(document: number, startByte: number, endByte: number, room?: Uint8Array): Uint8Array;
}

/** A range of a document's bytes, end exclusive. */
export interface TextRange {
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
}
