import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the cache. */
export interface CacheFile {
  readonly path: string;
  readonly bytes: number;
  /** In ms since 1970. */
  readonly usedAt: number;
  /** Whether it is a whole entry, and not the draft of one. */
  readonly isEntry: boolean;
}

/** The content of a cache. */
export interface CacheStats {
  readonly entries: number;
  /** The size, with drafts that a process left behind, in bytes. */
  readonly bytes: number;
  /** When the least and the most recently used entries were used; null where there are none. */
  readonly oldestUse: Date | null;
  readonly newestUse: Date | null;
}

/** A file's place below the folder, by the hash of its request. */
export const entryPath = (folder: string, hash: string): string => join(folder, hash.slice(0, 2), `${hash}.json`);

const shelfName = /^[0-9a-f]{2}$/;
const fileName = /^[0-9a-f]{16}\.json(\.\d+\.[0-9a-f]+\.tmp)?$/;

async function look(path: string): Promise<CacheFile | null> {
  const found = await stat(path).catch(() => null);
  return found && { path, bytes: found.size, usedAt: found.mtimeMs, isEntry: path.endsWith('.json') };
}

/**
 * Lists the files of a cache; none where there is no cache. Leaves out foreign files, and files that disappear
 * meanwhile.
 */
export async function listEntries(folder: string): Promise<CacheFile[]> {
  const shelves = (await readdir(folder).catch(() => [])).filter((name) => shelfName.test(name));
  const paths = await Promise.all(
    shelves.map(async (shelf) => {
      const names = await readdir(join(folder, shelf)).catch(() => []);
      return names.filter((name) => fileName.test(name)).map((name) => join(folder, shelf, name));
    }),
  );
  const found = await Promise.all(paths.flat().map(look));
  return found.filter((file) => file !== null);
}

function summarise(files: readonly CacheFile[]): CacheStats {
  const uses = files
    .filter(({ isEntry }) => isEntry)
    .map(({ usedAt }) => usedAt)
    .sort((a, b) => a - b);
  const [oldest, newest] = [uses[0], uses.at(-1)];
  return {
    entries: uses.length,
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
    oldestUse: oldest === undefined ? null : new Date(oldest),
    newestUse: newest === undefined ? null : new Date(newest),
  };
}

/** Measures a cache; all is 0 where there is none. */
export const cacheStats = async (folder: string): Promise<CacheStats> => summarise(await listEntries(folder));

/**
 * Removes all entries of a cache. Returns what was there. Throws the system's error for a file that cannot be removed.
 */
export async function clearCache(folder: string): Promise<CacheStats> {
  const files = await listEntries(folder);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return summarise(files);
}
