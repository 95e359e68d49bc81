import { existsSync } from 'node:fs';
import { holderOf } from '../base/files/lock.ts';
import { systemDetail } from '../base/files/system.ts';
import { type ContextStore, indexOfNumber } from '../context/document.ts';
import { createChunkTable, createTexts } from '../context/store/store.ts';
import { RlmError, tooManyFiles } from '../errors.ts';
import { joinPostings } from '../retrievers/lexical/postings.ts';
import { createIndexedRetriever } from '../retrievers/lexical/retriever.ts';
import type { AskedIndex } from '../state.ts';
import { Damage } from './block-file.ts';
import {
  damagedIndex,
  documentsOf,
  indexFolder,
  type Manifest,
  readManifest,
  refusedMark,
  watcherFolder,
} from './manifest.ts';
import { openPart, type Part } from './part.ts';

/** Runs `work`. Turns a `Damage` that it throws into `index-damaged`, which names the index. */
export function withNamedDamage<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Damage ? damagedIndex(name, error.message) : error;
  }
}

/** Creates the store and the retriever of an index, which read from `parts`. The keys of `parts` are file names. */
export function createIndexStore(
  name: string,
  manifest: Pick<Manifest, 'files' | 'parts'>,
  parts: ReadonlyMap<string, Part>,
  overlapBytes = 0,
) {
  const documents = documentsOf(manifest);
  const chunks = createChunkTable();
  /** For each part, the number that each of its chunks has in the store; -1 if the chunk is not in the store. */
  const numbersIn = new Map(manifest.parts.map((part) => [part.file, new Int32Array(part.chunks).fill(-1)]));
  for (const [document, { part, firstChunk, chunks: count }] of documents.entries()) {
    for (let chunk = firstChunk; chunk < firstChunk + count; chunk++) {
      numbersIn.get(part)![chunk] = chunks.count();
      chunks.add(document, parts.get(part)!.place(chunk));
    }
  }
  const read = (document: number, startByte: number, endByte: number): Buffer => {
    const { part, start } = documents[document]!;
    return withNamedDamage(name, () => parts.get(part)!.text(start + startByte, start + endByte));
  };
  const infos = documents.map(({ name: title, bytes, lines, isExtracted }) => ({
    ...{ name: title, bytes, lines, isExtracted },
  }));
  const store: ContextStore = {
    documents: infos,
    chunkCount: chunks.count(),
    chunk: chunks.at,
    indexOf: (id) => indexOfNumber(id, chunks.count()),
    totalBytes: infos.reduce((sum, { bytes }) => sum + bytes, 0),
    read,
    hash: (document) => documents[document]!.hash,
    ...createTexts(infos, read, overlapBytes),
  };
  const joined = joinPostings(
    [...numbersIn].map(([file, numbers]) => ({ postings: parts.get(file)!.postings, numbers })),
    chunks.count(),
  );
  const postings = { ...joined, lookUp: (term: string) => withNamedDamage(name, () => joined.lookUp(term)) };
  return { store, retriever: createIndexedRetriever(store, postings) };
}

const closeAll = (parts: ReadonlyMap<string, Part>) => {
  for (const part of parts.values()) part.close();
};

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Opens the parts that a manifest names. Throws Damage or the system's error. After an error, no part is open. */
export function openParts(folder: string, { parts: named }: Pick<Manifest, 'parts'>): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  try {
    for (const facts of named) parts.set(facts.file, openPart(folder, facts));
    return parts;
  } catch (error) {
    closeAll(parts);
    throw error;
  }
}

const unreadable = (name: string, folder: string, error: unknown) =>
  new RlmError('input-unreadable', `the index "${name}" cannot be opened: ${systemDetail(error)}`, {
    hint: `Make the files in ${folder} readable.`,
    cause: error,
  });

/**
 * Opens the newest parts. Starts again if a writer replaces the manifest before the parts are open.
 * @param before the parts that the previous attempt tried to open, as JSON; null at the first attempt.
 */
function openLatest(folder: string, name: string, before: string | null) {
  const manifest = readManifest(folder, name);
  try {
    return { manifest, parts: openParts(folder, manifest) };
  } catch (error) {
    if (error instanceof Damage) throw error;
    if (!isGone(error)) throw tooManyFiles(error) ?? unreadable(name, folder, error);
    const parts = JSON.stringify(manifest.parts);
    if (parts === before) throw new Damage('one of its files is missing');
    return openLatest(folder, name, parts);
  }
}

/**
 * Opens an index as it is now, without a lock.
 * @throws RlmError `index-missing`, `index-damaged`, `index-outdated`, `input-unreadable`, `too-many-files`, `usage`.
 */
export function openIndex(indexes: string, name: string, overlapBytes = 0) {
  return withNamedDamage(name, () => {
    const folder = indexFolder(indexes, name);
    const { manifest, parts } = openLatest(folder, name, null);
    const watching = watcherFolder(folder);
    const isWatched = existsSync(watching) && holderOf(watching) !== null && !existsSync(refusedMark(folder));
    const asked: AskedIndex = { name, updatedAt: manifest.updatedAt, isWatched };
    return { ...createIndexStore(name, manifest, parts, overlapBytes), asked, close: () => closeAll(parts) };
  });
}
