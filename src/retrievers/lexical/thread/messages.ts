import type { CountedPostings } from '../postings.ts';

/** A request to the counting thread: consecutive chunks with the end of each, or the end of the text. */
export type CountingRequest =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }
  | 'finish';

/** The thread's answer to each request. */
export interface CountedBatch {
  /** Bytes of segments that were finished meanwhile, in order. */
  readonly pieces: readonly Uint8Array[];
  /** All segments, after the end of the text; else null. */
  readonly done: CountedPostings | null;
}
