/**
 * Keeps an index from being emptied by accident: a disk that is not mounted looks like a folder whose files were
 * removed.
 */
import { readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { RlmError } from '../errors.ts';
import { parseGlob } from '../inputs/find/glob.ts';
import { isWithin, posixRelative } from '../inputs/find/paths.ts';
import type { IndexedFile, Manifest } from './parts/manifest.ts';
import type { ChangedFiles } from './read-changed.ts';

/** Losing more than this share of its files is taken for an accident. */
const mostLost = 1 / 2;

const hasText = ({ documents }: IndexedFile): boolean => documents.length > 0;

/** Hashes of all texts that the index would hold now. */
function hashesIn({ files, fresh }: ChangedFiles): ReadonlySet<string> {
  const kept = files.flatMap(({ file, read }) => (read === null ? file.documents.map(({ hash }) => hash) : []));
  return new Set([...kept, ...fresh.values()]);
}

/** Files whose text would be in the index no more. One that was moved is not lost. */
function lostFiles(before: readonly IndexedFile[], changed: ChangedFiles): readonly IndexedFile[] {
  const now = changed.files.filter(({ file, read }) => (read ?? file.documents).length > 0);
  const keys = new Set(now.map(({ file }) => file.key));
  const hashes = hashesIn(changed);
  return before.filter(({ key, documents }) => !keys.has(key) && !documents.every(({ hash }) => hashes.has(hash)));
}

/** Tells the files that a path of an index stands for. */
function matcherOf(path: string, cwd: string): (file: IndexedFile) => boolean {
  const root = resolve(cwd, path);
  const glob = parseGlob(path, cwd);
  const isMatch = (key: string) =>
    glob !== null && isWithin(key, glob.folder) && glob.matches(posixRelative(glob.folder, key));
  return ({ key }) => isWithin(key, root) || isMatch(key);
}

function holdsFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** A named file that is gone from a folder in which others still are was removed by somebody. */
const isRemovedFile = (path: string, { key }: IndexedFile): boolean => key === path && holdsFiles(dirname(path));

/** The paths of an index of which no file is left. */
function lostRoots({ cwd, paths }: Manifest, before: readonly IndexedFile[], lost: readonly IndexedFile[]): string[] {
  return paths.filter((path) => {
    const isOfPath = matcherOf(path, cwd);
    const files = before.filter(isOfPath);
    const isGone = files.length > 0 && files.every((file) => lost.includes(file));
    return isGone && !isRemovedFile(resolve(cwd, path), files[0]!);
  });
}

/**
 * Refuses a change that would take more than half of an index, or all that one of its paths stands for.
 * @throws RlmError `index-shrunk`.
 */
export function checkLosses(name: string, manifest: Manifest, changed: ChangedFiles): void {
  const before = manifest.files.filter(hasText);
  const lost = lostFiles(before, changed);
  if (lost.length === 0) return;
  const roots = lostRoots(manifest, before, lost);
  if (roots.length === 0 && lost.length <= before.length * mostLost) return;
  const where = roots.length === 0 ? '' : `: nothing is left of ${roots.join(', ')} (in ${manifest.cwd})`;
  throw new RlmError(
    'index-shrunk',
    `the index "${name}" would lose ${lost.length} of its ${before.length} files${where}`,
    {
      hint: `The index is as it was. Mount the disk or bring the files back; if they are gone for good: rlm index update --name ${name} --force`,
    },
  );
}
