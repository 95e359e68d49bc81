import { createContextStore } from '../../src/context/store/store.ts';
import { createInputTotal } from '../../src/inputs/input-total.ts';
import type { InputReading } from '../../src/inputs/reading.ts';

/** Creates the options to read into a new store. */
export function createReading(more: Partial<InputReading> & { readonly maxBytes?: number } = {}) {
  const { maxBytes = 1_000_000, ...terms } = more;
  const store = createContextStore();
  const reading: InputReading = {
    store,
    encoding: 'utf-8',
    total: createInputTotal(maxBytes),
    maxUnpackRatio: 200,
    readTimeoutMs: 60_000,
    takeScan: null,
    takesPictures: false,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...terms,
  };
  return {
    reading,
    /** Returns the names and texts in the store. */
    documents: () => store.documents.map(({ name, bytes }, index) => ({ name, bytes: store.read(index, 0, bytes) })),
    texts: () => store.documents.map(({ name, bytes }, index) => [name, store.read(index, 0, bytes).toString()]),
  };
}
