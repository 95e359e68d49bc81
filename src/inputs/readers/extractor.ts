import type { Encoding } from '../decode.ts';

/** Formats whose text is got out by code that a file could keep busy for ever, or fill the memory of. */
export type ExtractedFormat = 'pdf' | 'docx' | 'html' | 'notebook';

/** A whole file, and how long its text may be. */
export interface Extraction {
  readonly name: string;
  readonly bytes: Buffer;
  /** In characters. Where a file's text may be far longer than the file, it is given up when it is longer. */
  readonly maxChars: number;
  /** How many times its size a packed file may unpack to. */
  readonly maxUnpackRatio: number;
  /** Of a file that does not say which one it has. */
  readonly encoding: Encoding;
}

/** What a file's text came to. */
export interface Extracted {
  readonly text: string;
  /** Whole sentences that name the file. */
  readonly warnings: readonly string[];
}

/** Gets the text out of a whole file. Throws UnreadableFile. */
export type Extract = (extraction: Extraction) => Promise<Extracted>;
