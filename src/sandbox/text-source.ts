/** A document that code in a sandbox may read. */
export interface SourceDocument {
  readonly name: string;
  /** Size of its text as UTF-8. */
  readonly bytes: number;
}

/** The text for code in a sandbox; its parts are read where they lie. */
export interface GuestTextSource {
  readonly documents: readonly SourceDocument[];
  /**
   * Reads bytes of a document, by its index. Throws the system's error.
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
