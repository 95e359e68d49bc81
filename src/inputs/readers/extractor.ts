import type { Encoding } from '../decode.ts';

/** Formats whose parser a hostile file could keep busy forever, or make fill the memory. */
export type ExtractedFormat = 'pdf' | 'docx' | 'html' | 'notebook';

/** A whole file, and how long its text may be. */
export interface Extraction {
  readonly name: string;
  readonly bytes: Buffer;
  /** The longest text in characters. Where a text may be far longer than its file, a longer one is refused. */
  readonly maxChars: number;
  /** How many times its size a packed file may unpack to. */
  readonly maxUnpackRatio: number;
  /** The encoding of a file that declares none. */
  readonly encoding: Encoding;
}

/** The text of a file. */
export interface Extracted {
  readonly text: string;
  /** Whole sentences that name the file. */
  readonly warnings: readonly string[];
}

/** Extracts the text of a whole file. Throws UnreadableFile. */
export type Extract = (extraction: Extraction) => Promise<Extracted>;
