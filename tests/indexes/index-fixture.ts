import { openIndex } from '../../src/indexes/open-index.ts';
import { type Refreshed, type RefreshRequest, refreshIndex } from '../../src/indexes/refresh.ts';
import { gatherInputs } from '../../src/inputs/gather-inputs.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';

export const signal = new AbortController().signal;

const reading = { kind: 'auto', chunkBytes: 200, encoding: 'utf-8' } as const;

export const inputs = {
  maxBytes: 1e9,
  encoding: 'utf-8',
  allowUrls: false,
  strict: false,
  maxUnpackRatio: 200,
  readTimeout: 60,
} as const;

const quiet = {
  readsAll: false,
  force: false,
  watcher: null,
  inputs,
  notesPages: true,
  onReading: () => {},
  onIndexing: () => {},
  signal,
};

/** Adds paths in `cwd` to the index `docs`. */
export const add = (
  indexes: string,
  cwd: string,
  paths: readonly string[] = ['.'],
  options: Partial<RefreshRequest> = {},
): Promise<Refreshed> =>
  refreshIndex({ ...quiet, indexes, name: 'docs', addition: { cwd, paths, reading }, ...options });

/** Updates the index `docs`. */
export const update = (indexes: string, options: Partial<RefreshRequest> = {}): Promise<Refreshed> =>
  refreshIndex({ ...quiet, indexes, name: 'docs', addition: null, ...options });

const search = (retriever: Retriever, text: string) =>
  retriever.retrieve({ text, limit: 20, maxBytes: 100_000 }, signal);

/** Returns the passages that the index `docs` finds. */
export async function ask(indexes: string, question: string, overlapBytes = 0): Promise<readonly Passage[]> {
  const { retriever, close } = openIndex(indexes, 'docs', overlapBytes);
  try {
    return await search(retriever, question);
  } finally {
    close();
  }
}

/** Returns the passages that a search of the same files without an index finds. */
export async function askFiles(cwd: string, question: string, overlapBytes = 0) {
  const none = {
    excludedFiles: [],
    givenDocuments: Promise.resolve([]),
    onProgress: () => undefined,
    loadScanReader: null,
    signal,
  };
  const { kind, chunkBytes } = reading;
  const store = { kind, chunkBytes, overlapBytes };
  const read = await gatherInputs({ ...none, paths: ['.'], cwd, settings: inputs, store });
  try {
    return await search(createLexicalRetriever(read.store), question);
  } finally {
    read.close();
  }
}
