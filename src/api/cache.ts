/** What is kept from one run to the next: replies, and vectors of passages. */
import { cacheFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';

/** What the cache holds. */
export interface CacheContent {
  readonly folder: string;
  /** Kept replies. */
  readonly entries: number;
  /** Of the replies; drafts that a process left behind included. */
  readonly bytes: number;
  /** When the replies were used that were not used for longest, and last; null where there is none. */
  readonly oldestUse: Date | null;
  readonly newestUse: Date | null;
  /** How large the replies may grow. */
  readonly maxBytes: number;
  readonly vectors: { readonly bytes: number; readonly maxBytes: number };
}

/** What was removed from the cache. */
export interface ClearedCache extends Pick<CacheContent, 'folder' | 'entries' | 'bytes'> {
  readonly vectors: { readonly bytes: number };
}

const load = () => Promise.all([import('../cache/disk-cache.ts'), import('../cache/vector-cache.ts')]);

/** What the cache holds; nothing where there is none. */
export async function describeCache({ settings, env }: Configuration): Promise<CacheContent> {
  const [{ cacheStats }, { listVectorFiles }] = await load();
  const folder = cacheFolder(settings, env);
  const [replies, files] = await Promise.all([cacheStats(folder), listVectorFiles(folder)]);
  const vectorBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const vectors = { bytes: vectorBytes, maxBytes: settings.embedding.maxCacheBytes };
  return { folder, ...replies, maxBytes: settings.cache.maxBytes, vectors };
}

/** Removes all that the cache holds. Throws RlmError `output-unwritable`. */
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
