import type { GrowingStore } from '../context/store.ts';
import type { Encoding } from './decode.ts';
import type { InputTotal } from './input-total.ts';
import type { Skipped } from './skipped.ts';

/** How far reading has come. */
export interface ReadingProgress {
  /** Files and other documents that were read, skipped ones included. */
  readonly files: number;
  readonly bytes: number;
  /** What is being read, where that may take long. */
  readonly name?: string;
}

/** Where text goes, and on which terms. */
export interface Reading {
  readonly store: GrowingStore;
  /** Of text without a byte order mark. */
  readonly encoding: Encoding;
  readonly total: InputTotal;
  /** How many times its size a packed file may unpack to. */
  readonly maxUnpackRatio: number;
  /** Time to get the text out of one file that is more than text, or to fetch one, in ms. */
  readonly readTimeoutMs: number;
  /** Told now and then; reading goes on when it is done. */
  readonly onProgress: (progress: ReadingProgress) => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Told after every piece of a long text; null where an error does not end all reading, since the text of a document
 * that fails is forgotten.
 */
export type OnPiece = (() => Promise<void> | undefined) | null;

/** What a source came to besides the documents that are in the store now. */
export interface ReadOutcome {
  /** The source itself, or what is in it. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}
