import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdLock } from '../base/files/lock.ts';
import { nearest } from '../base/nearest.ts';
import { RlmError, unwritable } from '../errors.ts';
import {
  documentsOf,
  hasManifest,
  indexFolder,
  isIndexName,
  manifestName,
  missingIndex,
  readManifest,
} from './manifest.ts';

export interface IndexOutline {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  readonly diskBytes: number;
  readonly updatedAt: string | null;
  /** The folder that `paths` start from. */
  readonly cwd: string | null;
  readonly paths: readonly string[];
  /** Why the manifest cannot be read; null if it can be read. */
  readonly damage: string | null;
}

/** Returns the names of the indexes, sorted. Throws `index-missing` if the folder cannot be read. */
export function indexNames(indexes: string): string[] {
  try {
    return readdirSync(indexes)
      .filter((name) => isIndexName(name) && hasManifest(join(indexes, name)))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new RlmError('index-missing', `the indexes in ${indexes} cannot be read (${code})`, {
      hint: 'Make the folder readable, or name another state folder with RLM_HOME.',
    });
  }
}

export const noSuchIndex = (indexes: string, name: string): RlmError =>
  missingIndex(name, nearest(name, indexNames(indexes)));

function diskBytesOf(folder: string): number {
  const sizes = readdirSync(folder).map((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function outline(indexes: string, name: string): IndexOutline {
  const folder = indexFolder(indexes, name);
  const diskBytes = diskBytesOf(folder);
  try {
    const { updatedAt, cwd, paths, ...manifest } = readManifest(folder, name);
    const documents = documentsOf(manifest);
    const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
    return { name, documents: documents.length, bytes, diskBytes, updatedAt, cwd, paths, damage: null };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    const unknown = { updatedAt: null, cwd: null, paths: [] };
    return { name, documents: 0, bytes: 0, diskBytes, ...unknown, damage: error.message };
  }
}

export const listIndexes = (indexes: string): IndexOutline[] =>
  indexNames(indexes).map((name) => outline(indexes, name));

/**
 * Removes an index. A process that has the index open can still read it.
 * @throws RlmError `index-missing`, `index-busy`, `output-unwritable`.
 */
export function removeIndex(indexes: string, name: string): void {
  const folder = indexFolder(indexes, name);
  if (!indexNames(indexes).includes(name)) throw noSuchIndex(indexes, name);
  const lock = holdLock(folder, `writing the index "${name}"`, 'index-busy');
  try {
    // Removes the manifest first, so that after an interruption the folder is no longer an index.
    rmSync(join(folder, manifestName));
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    throw unwritable(`the index "${name}"`, error, `Make ${folder} and its parent folder writable.`, 'removed');
  } finally {
    lock.release();
  }
}
