import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { holdLock, type Lock } from '../base/files/lock.ts';
import { makeFolder } from '../base/files/system.ts';
import type { Settings } from '../config/settings.ts';
import { tooManyFiles, unwritable } from '../errors.ts';
import { keyOfPath, posixRelative } from '../inputs/find/paths.ts';
import type { WatchedFolders } from '../inputs/find/watched-folders.ts';
import type { ReadingProgress } from '../inputs/reading.ts';
import { nothingReadable, type Skipped } from '../inputs/skipped.ts';
import { isUrl } from '../inputs/urls.ts';
import { type ChangedFiles, findFiles, lossOf, readChanged, withLost } from './changed-files.ts';
import { compacted, removeLeftovers, storeChanged } from './index-parts.ts';
import {
  type createKeptManifest,
  documentsOf,
  hasManifest,
  type IndexedFile,
  indexFolder,
  indexVersion,
  type Manifest,
  missingIndex,
  type PartFacts,
  type ReadingTerms,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { openPart } from './part.ts';

interface Addition {
  readonly cwd: string;
  /** Files, folders and globs, relative to `cwd`. */
  readonly paths: readonly string[];
  readonly reading: ReadingTerms;
}

export interface Watcher {
  readonly folders: WatchedFolders;
  readonly manifest: ReturnType<typeof createKeptManifest>;
  /** Whether missing files are kept even if they are few (see `lossOf`). True if the last refresh kept any. */
  readonly keepsLost: boolean;
}

export interface RefreshRequest {
  readonly indexes: string;
  readonly name: string;
  /** What to add to the index; null: the index is only updated. */
  readonly addition: Addition | null;
  readonly readsAll: boolean;
  readonly force: boolean;
  /** The state of a watcher between refreshes; null if no watcher runs. */
  readonly watcher: Watcher | null;
  readonly inputs: Pick<Settings['inputs'], 'maxBytes' | 'maxUnpackRatio' | 'readTimeout' | 'strict'>;
  /** Whether to warn about pages without text. */
  readonly notesPages: boolean;
  readonly onReading: (progress: ReadingProgress) => void;
  /** Called with the number of bytes indexed so far, and the number of all bytes to index. */
  readonly onIndexing: (done: number, bytes: number) => void;
  readonly signal: AbortSignal;
}

export interface Refreshed {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  /** Counts of files with text, by what the update did to them. */
  readonly files: { readonly added: number; readonly changed: number; readonly removed: number; readonly kept: number };
  /** Number of missing files that a watcher keeps, because a disk may be unmounted. `files.kept` includes them. */
  readonly missing: number;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

/**
 * Locks a folder of an index, after creating the folder if it is missing. Throws `index-busy`, `output-unwritable`.
 * @param work what the holder of the lock does, for the message of `index-busy`.
 */
export function lockFolder(folder: string, name: string, work: 'writing' | 'watching'): Lock {
  try {
    makeFolder(folder);
  } catch (error) {
    const hint = 'Make its parent folder writable, or name another state folder with RLM_HOME.';
    throw unwritable(`the folder ${folder}`, error, hint, 'made');
  }
  return holdLock(folder, `${work} the index "${name}"`, 'index-busy');
}

/**
 * Creates, extends or updates an index. If this fails, the index stays as it was.
 * @throws RlmError `index-missing`, `index-busy`, `index-outdated`, `index-damaged` for a damaged manifest;
 * `index-shrunk` (see `lossOf`) if no watcher runs; `no-space`, `output-unwritable`; `usage` for an invalid name;
 * the errors of `findInputs` and `readInputs`; `input-empty` when paths are added and the index would hold no text;
 * the signal's reason.
 */
export async function refreshIndex(request: RefreshRequest): Promise<Refreshed> {
  const { indexes, name, addition } = request;
  const folder = indexFolder(indexes, name);
  if (addition === null && !hasManifest(folder)) throw missingIndex(name, null);
  const lock = lockFolder(folder, name, 'writing');
  try {
    return await refreshLocked(request, folder);
  } finally {
    if (!hasManifest(folder)) rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
}

const emptyManifest = ({ cwd, reading }: Addition): Manifest => ({
  version: indexVersion,
  updatedAt: '',
  cwd,
  paths: [],
  reading,
  parts: [],
  files: [],
});

function readBefore({ addition, name, watcher }: RefreshRequest, folder: string) {
  if (addition === null) return { before: watcher?.manifest.read() ?? readManifest(folder, name), added: [] };
  const before = hasManifest(folder) ? readManifest(folder, name) : emptyManifest(addition);
  // All paths are made relative to the folder of the first addition, so that each file has only one name.
  const inFolder = (path: string) =>
    addition.cwd === before.cwd || isUrl(path) ? path : posixRelative(before.cwd, resolve(addition.cwd, path)) || '.';
  const added = [...new Set(addition.paths.map(inFolder))].filter((path) => !before.paths.includes(path));
  return { before, added };
}

async function refreshLocked(request: RefreshRequest, folder: string): Promise<Refreshed> {
  const { addition, signal, name, watcher } = request;
  const watched = watcher?.folders ?? null;
  const { before, added } = readBefore(request, folder);
  try {
    const reading = addition?.reading ?? before.reading;
    const { cwd, paths: known } = before;
    const places = { cwd, known, added, indexes: resolve(request.indexes), watched };
    const found = await findFiles(places, signal);
    const knownByKey = knownFiles(request, folder, before, reading);
    const read = await readChanged(found, { ...request, watched, reading, known: knownByKey });
    const loss = request.force ? null : lossOf(name, before, read, watcher?.keepsLost === true);
    const lost = loss?.files ?? [];
    const changed = loss === null ? read : withLost(read, loss);
    try {
      if (loss !== null && watched === null) throw loss.error;
      const lostKeys = new Set(lost.map(({ key }) => key));
      const settle = () =>
        watched?.settle(found.inputs.map(({ path }) => keyOfPath(path)).filter((key) => !lostKeys.has(key)));
      if (watched !== null && isSame(before, changed)) {
        settle();
        return toRefreshed(name, before, before, changed, lost.length);
      }
      const paths = [...before.paths, ...added];
      const after = await storeChanged(request, folder, { ...before, reading, paths }, changed);
      if (addition !== null && documentsOf(after).length === 0)
        throw nothingReadable(paths, changed.skipped, changed.warnings);
      const manifest = await compacted(request, folder, after);
      signal.throwIfAborted();
      await (watcher?.manifest.write(manifest) ?? writeManifest(folder, manifest));
      removeLeftovers(folder, manifest);
      settle();
      return toRefreshed(name, before, manifest, changed, lost.length);
    } finally {
      changed.close();
    }
  } catch (error) {
    if (hasManifest(folder)) removeLeftovers(folder, before);
    throw error;
  }
}

const isSame = ({ files }: Manifest, changed: ChangedFiles): boolean =>
  files.length === changed.files.length && changed.files.every(({ file }, index) => file === files[index]);

function isWhole(folder: string, facts: PartFacts): boolean {
  try {
    openPart(folder, facts).close();
    return true;
  } catch (error) {
    if (tooManyFiles(error) !== null) throw error;
    return false; // Its files are read again.
  }
}

function knownFiles({ readsAll }: RefreshRequest, folder: string, before: Manifest, reading: ReadingTerms) {
  if (readsAll || JSON.stringify(reading) !== JSON.stringify(before.reading)) return new Map<string, IndexedFile>();
  const whole = new Set(before.parts.filter((part) => isWhole(folder, part)).map(({ file }) => file));
  const isThere = ({ documents }: IndexedFile) => documents.every(({ part }) => whole.has(part));
  return new Map(before.files.filter(isThere).map((file) => [file.key, file]));
}

function toRefreshed(
  name: string,
  before: Manifest,
  after: Manifest,
  changed: ChangedFiles,
  missing: number,
): Refreshed {
  const documents = documentsOf(after);
  const withText = ({ documents: texts }: IndexedFile) => texts.length > 0;
  const earlier = new Set(before.files.filter(withText).map(({ key }) => key));
  const now = changed.files.filter(({ file, read }) => (read ?? file.documents).length > 0);
  const known = now.filter(({ file }) => earlier.has(file.key));
  const kept = known.filter(({ read }) => read === null).length;
  return {
    name,
    documents: documents.length,
    bytes: documents.reduce((sum, { bytes }) => sum + bytes, 0),
    files: {
      added: now.length - known.length,
      changed: known.length - kept,
      removed: earlier.size - known.length,
      kept,
    },
    missing,
    skipped: changed.skipped,
    warnings: changed.warnings,
  };
}
