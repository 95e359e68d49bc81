/** The cache that runs share: replies, and vectors of passages. */
import { cacheFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';

/** What the cache holds. */
export interface CacheContent {
  readonly folder: string;
  /** Number of kept replies. */
  readonly entries: number;
  /** Size of the replies, with drafts that a process left behind. */
  readonly bytes: number;
  /** Oldest and newest last use of a reply; null when there is no reply. */
  readonly oldestUse: Date | null;
  readonly newestUse: Date | null;
  /** Limit for the size of the replies. */
  readonly maxBytes: number;
  readonly vectors: { readonly bytes: number; readonly maxBytes: number };
}

/** What was removed from the cache. */
export interface ClearedCache extends Pick<CacheContent, 'folder' | 'entries' | 'bytes'> {
  readonly vectors: { readonly bytes: number };
}

const load = () => Promise.all([import('../cache/disk-cache.ts'), import('../cache/vector-cache.ts')]);

/** Measures the cache. An absent cache is empty. */
export async function describeCache({ settings, env }: Configuration): Promise<CacheContent> {
  const [{ cacheStats }, { listVectorFiles }] = await load();
  const folder = cacheFolder(settings, env);
  const [replies, files] = await Promise.all([cacheStats(folder), listVectorFiles(folder)]);
  const vectorBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const vectors = { bytes: vectorBytes, maxBytes: settings.embedding.maxCacheBytes };
  return { folder, ...replies, maxBytes: settings.cache.maxBytes, vectors };
}

/** Removes everything from the cache. Throws RlmError `output-unwritable`. */
export async function clearCache({ settings, env }: Configuration): Promise<ClearedCache> {
  const [entriesModule, { clearVectors }] = await load();
  const folder = cacheFolder(settings, env);
  try {
    const [{ entries, bytes }, vectorBytes] = await Promise.all([
      entriesModule.clearCache(folder),
      clearVectors(folder),
    ]);
    return { folder, entries, bytes, vectors: { bytes: vectorBytes } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError('output-unwritable', `the cache in ${folder} cannot be cleared (${code})`, {
      hint: 'Make the folder writable, or remove it yourself.',
    });
  }
}
