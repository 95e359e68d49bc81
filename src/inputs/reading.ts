import type { GrowingStore } from '../context/store/store.ts';
import type { Encoding } from './decode.ts';
import type { InputTotal } from './input-total.ts';
import type { Scan } from './pictures.ts';
import type { Skipped } from './skipped.ts';

export interface ReadingProgress {
  /** Number of files so far, including skipped files. */
  readonly files: number;
  readonly bytes: number;
  /** The source that is being read, if reading it may take long. */
  readonly name?: string;
}

export interface InputReading {
  readonly store: GrowingStore;
  readonly encoding: Encoding;
  readonly total: InputTotal;
  /** Highest ratio of the unpacked to the packed size of a file. */
  readonly maxUnpackRatio: number;
  /** Keeps a document whose pictures a model is to read. Returns whether it is kept. Null: pictures are ignored. */
  readonly takeScan: ((scan: Scan) => Promise<boolean>) | null;
  /** Whether files that are pictures are read. */
  readonly takesPictures: boolean;
  /** Time limit for extracting the text of one file, or for fetching one address, in ms. */
  readonly readTimeoutMs: number;
  /** Reading waits for the returned promise. */
  readonly onProgress: (progress: ReadingProgress) => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

/** Called after each piece of a long text. Null: progress is reported only for whole sources. */
export type OnPiece = (() => Promise<void> | undefined) | null;

export interface ReadOutcome {
  /** What was not read: the source itself, or files in it. */
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export const joinOutcomes = (outcomes: readonly ReadOutcome[]): ReadOutcome => ({
  skipped: outcomes.flatMap(({ skipped }) => skipped),
  warnings: outcomes.flatMap(({ warnings }) => warnings),
});
