import type { Encoding } from '../decode.ts';

/** Formats whose parsers could run forever, or fill the memory, on a hostile file. */
export type ExtractedFormat =
  | ('pdf' | 'docx' | 'html' | 'notebook')
  // Pages as pictures.
  | ('pdf-pages' | 'tiff-pages');

export interface Extraction {
  readonly name: string;
  readonly bytes: Buffer;
  /** Maximum length of the extracted text, in characters. */
  readonly maxChars: number;
  /** Highest ratio of the unpacked to the packed size of a file. */
  readonly maxUnpackRatio: number;
  /** The encoding of a file that declares none. */
  readonly encoding: Encoding;
  /** Number of the page to render, from 1. If absent, the pages to read as pictures are listed instead. */
  readonly page?: number;
  /** The address of the library that renders pages of PDFs. */
  readonly library?: string;
}

export interface Extracted {
  readonly text: string;
  /** Sentences that name the file. */
  readonly warnings: readonly string[];
  /** The text of each page: null for an empty page, '' for an unreadable one; absent when no page is empty. */
  readonly pages?: readonly (string | null)[];
  /** A rendered page, as PNG. */
  readonly picture?: Uint8Array;
  /** The numbers of the pages to read as pictures, from 1. */
  readonly drawn?: readonly number[];
}

/** A file for the extracting thread, with its format and limits. */
export interface ExtractionJob extends Omit<Extraction, 'bytes'> {
  readonly format: ExtractedFormat;
  readonly bytes: Uint8Array;
}

/** Extracts the text of a whole file. Throws UnreadableFile. */
export type Extract = (extraction: Extraction) => Promise<Extracted>;
