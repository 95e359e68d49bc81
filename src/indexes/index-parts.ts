/** Writes what was read as a new part of an index, and joins parts where there are too many. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFiles } from './changed-files.ts';
import { documentsOf, type IndexedDocument, type Manifest, manifestName, type PartFacts } from './manifest.ts';
import { createIndexStore, naming, openParts } from './open-index.ts';
import { partPrefix, writePart } from './part.ts';

/** More parts make questions slower, and more dead text than live is waste. */
const mostParts = 8;
const mostDead = 1 / 3;

/** Whose index is written, and who is told. */
interface Writing {
  readonly name: string;
  /** Told how far the index of the text has come, in bytes. */
  readonly onIndexing: (done: number, bytes: number) => void;
  readonly signal: AbortSignal;
}

/** What no manifest names: parts of a writer that was killed, and those that nothing lives in any more. */
export function removeLeftovers(folder: string, manifest: Pick<Manifest, 'parts'>): void {
  const named = new Set(manifest.parts.map(({ file }) => file));
  const isLeft = (file: string) =>
    (file.startsWith(partPrefix) && !named.has(file)) || file.startsWith(`.${manifestName}.`);
  for (const file of readdirSync(folder).filter(isLeft)) rmSync(join(folder, file), { force: true });
}

/** Writes what was read as a part, and says what the index then is. */
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

/** With a part more, and without those that nothing lives in. */
function withParts(manifest: Manifest, more: readonly PartFacts[]): Manifest {
  const living = new Set(documentsOf(manifest).map(({ part }) => part));
  return { ...manifest, parts: [...manifest.parts, ...more].filter(({ file }) => living.has(file)) };
}

/** The parts that are to become one: all where a third of their text is dead, else the smallest of too many. */
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

/** The same in fewer parts, where it has come to lie in too many or in too large ones. */
export async function compacted({ name, onIndexing, signal }: Writing, folder: string, manifest: Manifest) {
  const joined = new Set(partsToJoin(manifest).map(({ file }) => file));
  if (joined.size === 0) return manifest;
  const parts = naming(name, () => openParts(folder, manifest));
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
