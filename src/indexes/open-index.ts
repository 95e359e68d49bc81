import { indexFolder } from './index-folder.ts';
import { createIndexStore, type IndexStore, naming } from './index-store.ts';
import { Damage, damagedIndex } from './parts/faults.ts';
import { type Manifest, readManifest } from './parts/manifest.ts';
import { openPart, type Part } from './parts/part.ts';

/** An index that is open to be read; what is written meanwhile does not change it. */
export interface OpenIndex extends IndexStore {
  close(): void;
}

const closeAll = (parts: ReadonlyMap<string, Part>) => {
  for (const part of parts.values()) part.close();
};

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Opens all parts that a manifest names, or none.
 * @throws Damage; the system's error.
 */
export function openParts(folder: string, { parts: named }: Pick<Manifest, 'parts'>): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  try {
    for (const facts of named) parts.set(facts.file, openPart(folder, facts));
    return parts;
  } catch (error) {
    closeAll(parts);
    throw error;
  }
}

/** A writer may put another manifest there between reading the one and opening its parts: then that one counts. */
function openLatest(folder: string, name: string, before: string | null) {
  const manifest = readManifest(folder, name);
  try {
    return { manifest, parts: openParts(folder, manifest) };
  } catch (error) {
    if (!isGone(error)) throw error instanceof Damage ? error : damagedIndex(name, (error as Error).message);
    const parts = JSON.stringify(manifest.parts);
    if (parts === before) throw new Damage('a file of it is gone');
    return openLatest(folder, name, parts);
  }
}

/**
 * Opens an index as it is now. Nothing is locked: all its files are open before this returns, so that a writer that
 * removes them takes nothing away.
 * @param indexes the folder of all indexes.
 * @param overlapBytes how much of the text before its chunk a passage begins with.
 * @throws RlmError `index-missing`, `index-damaged`, `index-outdated`, `usage` for what is no name.
 */
export function openIndex(indexes: string, name: string, overlapBytes = 0): OpenIndex {
  return naming(name, () => {
    const { manifest, parts } = openLatest(indexFolder(indexes, name), name, null);
    return { ...createIndexStore(name, manifest, parts, overlapBytes), close: () => closeAll(parts) };
  });
}
