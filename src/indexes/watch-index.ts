import { rmSync, writeFileSync } from 'node:fs';
import { wait } from '../base/abort.ts';
import { RlmError } from '../errors.ts';
import { findNetworkMounts } from '../inputs/find/network-mounts.ts';
import { createPolledFolders, createWatchedFolders } from '../inputs/find/watched-folders.ts';
import { createKeptManifest, hasManifest, indexFolder, missingIndex, refusedMark, watcherFolder } from './manifest.ts';
import { lockFolder, type Refreshed, type RefreshRequest, refreshIndex, type Watcher } from './refresh.ts';

export interface WatchRequest extends Omit<RefreshRequest, 'addition' | 'readsAll' | 'force' | 'watcher'> {
  /** Milliseconds between checks of all files; null: files are checked when the system reports a change. */
  readonly pollMs: number | null;
  /** Called after the first update and after updates with changes. */
  readonly onBatch: (refreshed: Refreshed) => void;
  /** Called when an update fails. The next update tries the same changes again. */
  readonly onRefused: (error: RlmError) => void;
}

/** The watcher continues after these errors. */
const passing: readonly RlmError['code'][] = ['input-unreadable', 'input-too-large', 'no-space', 'too-many-files'];

const busyMs = 500;

const hasChanged = ({ files: { added, changed, removed } }: Refreshed): boolean => added + changed + removed > 0;

async function refresh(request: WatchRequest, watcher: Watcher): Promise<Refreshed> {
  try {
    return await refreshIndex({ ...request, addition: null, readsAll: false, force: false, watcher });
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'index-busy') throw error;
    await wait(busyMs, request.signal);
    return refresh(request, watcher);
  }
}

/** Sets or removes the mark that `openIndex` looks for. Ignores errors: a full disk must not end the watcher. */
function markRefused(mark: string, isRefused: boolean): void {
  try {
    if (isRefused) writeFileSync(mark, '');
    else rmSync(mark, { force: true });
  } catch {
    // The mark keeps its state until the next check.
  }
}

async function follow(request: WatchRequest, watcher: Omit<Watcher, 'keepsLost'>): Promise<never> {
  let missing: number | null = null; // Null before the first update, and while changes are refused.
  let keepsLost = false;
  const mark = refusedMark(indexFolder(request.indexes, request.name));
  for (;;) {
    try {
      const refreshed = await refresh(request, { ...watcher, keepsLost });
      markRefused(mark, false);
      if (refreshed.missing !== missing || hasChanged(refreshed)) request.onBatch(refreshed);
      missing = refreshed.missing;
      keepsLost = missing > 0;
    } catch (error) {
      if (!(error instanceof RlmError) || !passing.includes(error.code)) throw error;
      markRefused(mark, true);
      request.onRefused(error);
      missing = null;
    }
    await watcher.folders.changed(request.signal);
  }
}

/**
 * Updates an index now and when its files change, until the signal aborts.
 * @throws RlmError `watch-unavailable` if the system cannot watch; `index-busy` if another process watches the
 * index; errors of `refreshIndex` that are not in `passing`; the signal's reason.
 */
export async function watchIndex(request: WatchRequest): Promise<never> {
  const { indexes, name, pollMs } = request;
  const folder = indexFolder(indexes, name);
  if (!hasManifest(folder)) throw missingIndex(name, null);
  const lock = lockFolder(watcherFolder(folder), name, 'watching');
  const folders = pollMs === null ? createWatchedFolders(indexes, findNetworkMounts()) : createPolledFolders(pollMs);
  try {
    return await follow(request, { folders, manifest: createKeptManifest(folder, name) });
  } finally {
    folders.close();
    lock.release();
  }
}
