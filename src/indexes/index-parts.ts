import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFiles } from './changed-files.ts';
import { documentsOf, type IndexedDocument, type Manifest, manifestName, type PartFacts } from './manifest.ts';
import { createIndexStore, openParts, withNamedDamage } from './open-index.ts';
import { partPrefix, writePart } from './part.ts';

const mostParts = 8;
const mostDead = 1 / 3;

interface Writing {
  readonly name: string;
  /** Called with the number of bytes indexed so far, and the number of all bytes to index. */
  readonly onIndexing: (done: number, bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Removes the remains of a killed writer, and parts that the manifest does not name. */
export function removeLeftovers(folder: string, manifest: Pick<Manifest, 'parts'>): void {
  const named = new Set(manifest.parts.map(({ file }) => file));
  const isLeft = (file: string) =>
    (file.startsWith(partPrefix) && !named.has(file)) || file.startsWith(`.${manifestName}.`);
  for (const file of readdirSync(folder).filter(isLeft)) rmSync(join(folder, file), { recursive: true, force: true });
}

/** Writes the new documents as a part. Returns the manifest with that part. */
export async function storeChanged(
  { onIndexing, signal }: Writing,
  folder: string,
  manifest: Manifest,
  changed: ChangedFiles,
): Promise<Manifest> {
  const { fresh } = changed;
  const bytes = [...fresh.keys()].reduce((sum, document) => sum + changed.store.documents[document]!.bytes, 0);
  const onProgress = (done: number) => onIndexing(done, bytes);
  const part =
    fresh.size === 0 ? null : await writePart({ folder, store: changed.store, documents: fresh, onProgress, signal });
  const files = changed.files.map(({ file, read }) =>
    read === null ? file : { ...file, documents: read.map((document) => part!.documents.get(document)!) },
  );
  return withParts({ ...manifest, updatedAt: new Date().toISOString(), files }, part === null ? [] : [part.facts]);
}

function withParts(manifest: Manifest, more: readonly PartFacts[]): Manifest {
  const living = new Set(documentsOf(manifest).map(({ part }) => part));
  return { ...manifest, parts: [...manifest.parts, ...more].filter(({ file }) => living.has(file)) };
}

/**
 * Returns the parts to join: all parts if more than a third of their text is unused, the smallest parts if there are
 * too many parts, and otherwise none.
 */
function partsToJoin(manifest: Manifest): readonly PartFacts[] {
  const live = documentsOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
  const all = manifest.parts.reduce((sum, { textBytes }) => sum + textBytes, 0);
  if (all - live > all * mostDead) return manifest.parts;
  if (manifest.parts.length <= mostParts) return [];
  const ascending = manifest.parts.toSorted((a, b) => a.textBytes - b.textBytes);
  let joined = 0;
  const end = ascending.findIndex(({ textBytes }, index) => {
    if (index > 1 && textBytes > 2 * joined) return true;
    joined += textBytes;
    return false;
  });
  return end < 0 ? ascending : ascending.slice(0, end);
}

/** Joins parts if there are too many parts or much of their text is unused. Returns the resulting manifest. */
export async function compacted({ name, onIndexing, signal }: Writing, folder: string, manifest: Manifest) {
  const joined = new Set(partsToJoin(manifest).map(({ file }) => file));
  if (joined.size === 0) return manifest;
  const parts = withNamedDamage(name, () => openParts(folder, manifest));
  try {
    const { store: whole } = createIndexStore(name, manifest, parts);
    const isMoved = ({ part }: IndexedDocument) => joined.has(part);
    const all = documentsOf(manifest);
    const documents = new Map(all.flatMap((one, document) => (isMoved(one) ? [[document, one.hash]] : [])));
    const bytes = all.filter(isMoved).reduce((sum, one) => sum + one.bytes, 0);
    const onProgress = (done: number) => onIndexing(done, bytes);
    const part = await writePart({ folder, store: whole, documents, onProgress, signal });
    let document = 0;
    const files = manifest.files.map((file) => ({
      ...file,
      documents: file.documents.map((one) => part.documents.get(document++) ?? one),
    }));
    return withParts({ ...manifest, files }, [part.facts]);
  } finally {
    for (const part of parts.values()) part.close();
  }
}
