/** Lists folders once and then watches them, so that a later search for files needs no access to the disk. */
import { isUtf8 } from 'node:buffer';
import { type FSWatcher, realpathSync, type WatchEventType, watch } from 'node:fs';
import { dirname } from 'node:path';
import { untilAborted, wait } from '../../base/abort.ts';
import { errnoOf } from '../../base/files/system.ts';
import { now } from '../../base/time.ts';
import { RlmError } from '../../errors.ts';
import { diskView, type Entry, type FolderView } from './list-folder.ts';
import type { NetworkMount } from './network-mounts.ts';
import { type FilePath, isWithin, joinPath, keyOfPath } from './paths.ts';

/** The folders that the watcher of an index scans. Files are identified by `keyOfPath`. */
export interface WatchedFolders extends FolderView {
  begin(): void;
  /** Watches a path where a file or folder may appear, change or vanish. */
  expect(path: string): void;
  /** Ends a scan. `keys`: the files whose content is known from this scan or an earlier one. */
  settle(keys: readonly string[]): void;
  /** Whether a file is unchanged since the start of the scan that read it. */
  isSettled(key: string): boolean;
  /** Resolves after a change: when 0.2 s have passed without a further one, or after about 1 s if changes continue. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

interface WatchedFolder {
  /** Null if a parent folder's watcher reports this folder's changes, or if the program itself writes this folder. */
  readonly watcher: FSWatcher | null;
  isListed: boolean;
  /** Null if the folder has to be listed again. */
  entries: readonly Entry[] | null;
  /** The number of the last scan that used this folder. */
  seenIn: number;
}

const quietMs = 200;
const longestWaitMs = 1_000;

/** Number of events in `eventsMs` above which everything is read again. Linux silently drops events beyond 16,384. */
const mostEvents = 4_096;
const eventsMs = 1_000;

/** On these systems, one watcher covers all subfolders. A watcher for each folder would be slow. */
const isDeep = process.platform === 'darwin' || process.platform === 'win32';

function noWatcher(folder: string, code: string): RlmError {
  const [limit, more] =
    code === 'ENOSPC'
      ? ['too many folders are watched', 'max_user_watches=524288']
      : ['too many programs watch files', 'max_user_instances=1024'];
  return new RlmError('watch-unavailable', `${folder} cannot be watched: ${limit} (${code})`, {
    hint: `Raise the limit: sudo sysctl fs.inotify.${more}. Or scan all files every 30 seconds: --poll 30`,
  });
}

const onNetwork = (folder: string, { type, at }: NetworkMount) =>
  new RlmError('watch-unavailable', `${folder} is on a network mount (${type} at ${at})`, {
    hint: 'The system reports no changes that another machine makes there. Scan all files every 30 seconds: --poll 30',
  });

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function createChanges() {
  let isOpen = false;
  let lastAt = 0;
  let notify = () => {};
  let [events, eventsSince] = [0, 0];
  return {
    note(): void {
      [isOpen, lastAt] = [true, now()];
      notify();
    },
    lastAt: () => lastAt,
    clear(): void {
      isOpen = false;
    },
    isStorm(): boolean {
      if (now() - eventsSince > eventsMs) [events, eventsSince] = [0, now()];
      events += 1;
      return events > mostEvents;
    },
    async noted(signal: AbortSignal): Promise<void> {
      const heard = new Promise<void>((resolve) => {
        notify = resolve;
      });
      if (!isOpen) await untilAborted(heard, signal);
      const end = now() + longestWaitMs;
      do await wait(quietMs, signal);
      while (now() - lastAt < quietMs && now() < end);
    },
  };
}

type OnEvent = (type: WatchEventType, folder: FilePath, name: Buffer | null) => void;

function createFolders(own: string, mounts: readonly NetworkMount[], onEvent: OnEvent) {
  const folders = new Map<string, WatchedFolder>();
  const isCovered = (key: string) =>
    isDeep && [...folders].some(([above, { isListed }]) => isListed && isWithin(key, above));

  function checkMount(key: string): void {
    const mount = mounts.find(({ at }) => isWithin(key, at));
    if (mount) throw onNetwork(key, mount);
  }

  function watcherOf(path: FilePath, recursive: boolean): FSWatcher {
    const watcher = watch(path, { encoding: 'buffer', recursive }, (type, name) => onEvent(type, path, name));
    return watcher.on('error', () => onEvent('rename', path, null));
  }

  return {
    get: (key: string) => folders.get(key),
    checkMount,
    /** Watches a folder. Returns null if watching fails, as for a missing folder. */
    add(path: FilePath, isListed: boolean, scan: number): WatchedFolder | null {
      const key = keyOfPath(path);
      const known = folders.get(key);
      if (known && (known.isListed || !isListed || !isDeep))
        return Object.assign(known, { isListed: known.isListed || isListed, seenIn: scan });
      known?.watcher?.close();
      checkMount(key);
      try {
        const watcher = isCovered(key) || isWithin(key, own) ? null : watcherOf(path, isDeep && isListed);
        const folder = { watcher, isListed, entries: null, seenIn: scan };
        folders.set(key, folder);
        return folder;
      } catch (error) {
        const code = errnoOf(error);
        if (['ENOSPC', 'EMFILE', 'ENFILE'].includes(code)) throw noWatcher(key, code);
        return null;
      }
    },
    drop(isDropped: (key: string, folder: WatchedFolder) => boolean): void {
      for (const [key, folder] of folders) {
        if (!isDropped(key, folder)) continue;
        folder.watcher?.close();
        folders.delete(key);
      }
    },
  };
}

/**
 * Creates a view that watches each folder that it lists. Its methods `list`, `readRules` and `expect` throw RlmError
 * `watch-unavailable` for a folder that cannot be watched.
 * @param own the folder that the program itself writes; changes in it are ignored.
 * @param mounts network mounts, whose folders cannot be watched.
 */
export function createWatchedFolders(own: string, mounts: readonly NetworkMount[]): WatchedFolders {
  /** Files and folders whose changes are reported even if their parent folder is not listed. */
  const expected = new Set<string>();
  /** For each file that was read: whether it is still unchanged. */
  const settled = new Map<string, boolean>();
  const touched = new Set<string>(); // The paths that events have named since the scan began.
  const changes = createChanges();
  const folders = createFolders(own, mounts, onEvent);
  let scan = 0;

  function onEvent(...[type, folder, name]: Parameters<OnEvent>): void {
    if (name === null || changes.isStorm()) {
      folders.drop(() => true);
      settled.clear();
      changes.note();
      return;
    }
    const path = joinPath(folder, isUtf8(name) ? name.toString() : name);
    const key = keyOfPath(path);
    if (isWithin(key, own)) return;
    touched.add(key);
    const isTaken = settled.has(key);
    if (isTaken) settled.set(key, false);
    if (expected.has(key)) settled.clear(); // A link or an ignore file can affect any other file.
    const parent = folders.get(typeof path === 'string' ? dirname(path) : keyOfPath(folder));
    const isListing = type === 'rename' && parent?.isListed === true;
    if (isListing) parent.entries = null;
    if (type === 'rename' && folders.get(key)) folders.drop((other) => isWithin(other, key));
    if (isTaken || expected.has(key) || isListing) changes.note();
  }

  function expect(path: string): void {
    expected.add(path);
    const parent = dirname(path);
    if (parent !== path && folders.add(parent, false, scan) === null) expect(parent);
  }

  return {
    begin() {
      scan += 1;
      changes.clear();
      expected.clear();
      touched.clear();
    },
    expect(path) {
      folders.checkMount(realPathOf(path));
      for (const one of [path, realPathOf(path)]) expect(one);
    },
    async list(path) {
      const folder = folders.add(path, true, scan);
      if (folder?.entries) return folder.entries;
      const before = changes.lastAt();
      const entries = await diskView.list(path);
      if (folder !== null && changes.lastAt() === before) folder.entries = entries;
      return entries;
    },
    async readRules(file) {
      expect(keyOfPath(file));
      return diskView.readRules(file);
    },
    settle(keys) {
      settled.clear();
      for (const key of keys) settled.set(key, !touched.has(key));
      if (keys.some((key) => touched.has(key))) changes.note();
      folders.drop((_, { seenIn }) => seenIn !== scan);
    },
    isSettled: (key) => settled.get(key) === true,
    changed: changes.noted,
    close: () => folders.drop(() => true),
  };
}

/** Creates a view that watches nothing. Everything is scanned again every `everyMs` ms. */
export const createPolledFolders = (everyMs: number): WatchedFolders => ({
  ...diskView,
  begin: () => {},
  expect: () => {},
  settle: () => {},
  isSettled: () => false,
  changed: (signal) => wait(everyMs, signal),
  close: () => {},
});
