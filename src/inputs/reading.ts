import type { GrowingStore } from '../context/store/store.ts';
import type { Encoding } from './decode.ts';
import type { InputTotal } from './input-total.ts';
import type { Scan } from './pictures.ts';
import type { Skipped } from './skipped.ts';

export interface ReadingProgress {
  /** Skipped ones included. */
  readonly files: number;
  readonly bytes: number;
  /** The source that is being read, if that may take long. */
  readonly name?: string;
}

export interface InputReading {
  readonly store: GrowingStore;
  readonly encoding: Encoding;
  readonly total: InputTotal;
  /** How many times its size a packed file may unpack to. */
  readonly maxUnpackRatio: number;
  /** Keeps a document whose pictures a model will read. Returns whether it kept it. Null: pictures are not reported. */
  readonly takeScan: ((scan: Scan) => Promise<boolean>) | null;
  /** Whether files that are pictures are read. */
  readonly takesPictures: boolean;
  /** Time limit for extracting the text of one file, or for fetching one, in ms. */
  readonly readTimeoutMs: number;
  /** Reading waits for it. */
  readonly onProgress: (progress: ReadingProgress) => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

/** Called after each piece of a long text. Null: progress is reported only for whole sources. */
export type OnPiece = (() => Promise<void> | undefined) | null;

export interface ReadOutcome {
  /** The source itself, or files in it. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export const joinOutcomes = (outcomes: readonly ReadOutcome[]): ReadOutcome => ({
  skipped: outcomes.flatMap(({ skipped }) => skipped),
  warnings: outcomes.flatMap(({ warnings }) => warnings),
});
