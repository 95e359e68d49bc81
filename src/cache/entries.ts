import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the cache. */
interface CacheFile {
  readonly path: string;
  readonly bytes: number;
  /** In ms since 1970. */
  readonly usedAt: number;
}

/** What a cache holds. */
export interface CacheStats {
  readonly entries: number;
  readonly bytes: number;
}

/** Every file of a cache; none where there is no cache. Files that go meanwhile are left out. */
export async function listEntries(folder: string): Promise<CacheFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => /\.(json|tmp)$/.test(name)).map((name) => join(folder, name));
  const found = await Promise.all(
    files.map(async (path) => {
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, bytes: size, usedAt: mtimeMs };
    }),
  );
  return found.filter(({ bytes }) => bytes > 0);
}

export async function cacheStats(folder: string): Promise<CacheStats> {
  const entries = await listEntries(folder);
  return { entries: entries.length, bytes: entries.reduce((total, { bytes }) => total + bytes, 0) };
}

/** Removes everything that a cache holds. Returns what it was. */
export async function clearCache(folder: string): Promise<CacheStats> {
  const before = await cacheStats(folder);
  await Promise.all((await listEntries(folder)).map(({ path }) => rm(path, { force: true })));
  return before;
}
