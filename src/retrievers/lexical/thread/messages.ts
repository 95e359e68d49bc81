import type { CountedPostings } from '../postings.ts';

/** To the thread that counts: chunks one after the other with where each ends, or that there are no more. */
export type CountingRequest =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }
  | 'finish';

/** Its answer to each. */
export interface CountedBatch {
  /** Bytes of segments that were finished meanwhile, in their order. */
  readonly pieces: readonly Uint8Array[];
  /** All segments, when no more chunks come. */
  readonly done: CountedPostings | null;
}
