/** What the folders of a cache share: files that are replaced in one step, and a size limit. */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../base/files/make-folder.ts';
import type { CacheFile } from './entries.ts';

/**
 * Shares of the size limit. Above `full` the cache shrinks to `roomy`, so that not every later reply has to make room;
 * a process checks again after it has added `unseen`, since others may have added as much. With these, six concurrent
 * processes do not exceed the limit.
 */
const shares = { full: 0.9, roomy: 0.8, unseen: 1 / 64 } as const;

/** Replaces the file in one step, so that no other process reads half of it. */
async function write(path: string, data: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  makeFolder(dirname(path));
  try {
    await writeFile(draft, data, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Writes a file of a cache, in one step. Throws the system's error. */
export async function writeCacheFile(path: string, data: string | Uint8Array): Promise<void> {
  await write(path, data).catch((error: NodeJS.ErrnoException) => {
    // Another process may have cleared the cache meanwhile, with the draft in it.
    if (error.code === 'ENOENT') return write(path, data);
    throw error;
  });
}

/** Removes the least recently used files until the rest is small enough. Returns the size of the rest, in bytes. */
async function makeRoom(list: () => Promise<readonly CacheFile[]>, maxBytes: number): Promise<number> {
  const entries = [...(await list())];
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes * shares.full) return total;
  for (const { path, bytes } of entries.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * shares.roomy) break;
    await rm(path, { force: true });
    total -= bytes;
  }
  return total;
}

/**
 * Keeps files within a size limit; call it for each write, in bytes.
 * @param list every file that counts.
 */
export function createCaretaker(
  list: () => Promise<readonly CacheFile[]>,
  maxBytes: number,
): (written: number) => Promise<void> {
  /** The size at the last check, null before it, and the bytes added since. */
  let seen: number | null = null;
  let added = 0;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    added = 0;
    seen = await makeRoom(list, maxBytes);
  }

  return async function tidy(written) {
    added += written;
    const isWithin = seen !== null && seen + added <= maxBytes * shares.full && added <= maxBytes * shares.unseen;
    if (isWithin) return;
    looking ??= look().finally(() => {
      looking = null;
    });
    await looking;
  };
}
