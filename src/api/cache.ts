import { cacheFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import { unwritable } from '../errors.ts';

const load = () => Promise.all([import('../cache/disk-cache.ts'), import('../cache/vector-cache.ts')]);

/** Returns the folder, sizes (bytes) and limits of the cache. */
export async function describeCache({ settings, env }: Configuration) {
  const [{ cacheStats }, { listVectorFiles }] = await load();
  const folder = cacheFolder(settings, env);
  const [replies, files] = await Promise.all([cacheStats(folder), listVectorFiles(folder)]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const vectors = { bytes, maxBytes: settings.embedding.maxCacheBytes };
  return { folder, ...replies, maxBytes: settings.cache.maxBytes, vectors };
}

export type CacheContent = Awaited<ReturnType<typeof describeCache>>;

/** Removes everything from the cache. Throws RlmError `output-unwritable`. */
export async function clearCache({ settings, env }: Configuration) {
  const [disk, { clearVectors }] = await load();
  const folder = cacheFolder(settings, env);
  try {
    const [{ entries, bytes }, vectorBytes] = await Promise.all([disk.clearCache(folder), clearVectors(folder)]);
    return { folder, entries, bytes, vectors: { bytes: vectorBytes } };
  } catch (error) {
    const hint = 'Make the folder writable, or remove it yourself.';
    throw unwritable(`the cache in ${folder}`, error, hint, 'cleared');
  }
}
