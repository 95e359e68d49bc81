import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Glob, parseGlob } from '../../../inputs/find/glob.ts';
import { missingInput } from '../../../inputs/find/missing-input.ts';
import { displayName, isWithin, joinName, posixRelative } from '../../../inputs/find/paths.ts';

/** A folder below which files may be read, or a single file. */
export interface Root {
  /** Path as the user would type it; empty for the current folder. */
  readonly name: string;
  /** Absolute path, in which links are not resolved. */
  readonly given: string;
  /** `given` with all links resolved, at the start of the run. */
  readonly real: string;
  readonly isFolder: boolean;
  /** Matches the files below the root that may be read; null if the user gave no glob. */
  readonly glob: Glob | null;
  /** Device and inode at the start of the run. They show later whether a path still leads to the same folder. */
  readonly identity: string;
}

/** A file or folder under a root. Its path has no links. */
export interface RootedPath {
  readonly root: Root;
  readonly real: string;
  readonly isFolder: boolean;
}

/** Folders whose files the system generates while they are read, and whose links may lead anywhere. */
const systemFolders: readonly string[] = ['/proc', '/sys', '/dev'];

export const fileIdentity = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`;

/**
 * Finds the root of each file, folder and glob. The longest path is first, so the first root that contains a file is
 * the innermost one. Leaves out devices, pipes and sockets. Throws RlmError `input-missing`.
 * @param cwd absolute.
 */
export function findRoots(paths: readonly string[], cwd: string): Root[] {
  const roots = paths.flatMap((path) => findRoot(path, cwd) ?? []);
  return roots.sort((a, b) => b.real.length - a.real.length);
}

function findRoot(path: string, cwd: string): Root | null {
  const root = rootAt(path, null, cwd);
  if (root !== undefined) return root;
  const glob = parseGlob(path, cwd);
  const folder = glob && rootAt(glob.folder, glob, cwd);
  if (folder) return { ...folder, name: glob.name };
  throw missingInput(path, cwd);
}

/** Returns the root at a path; null for a device, a pipe or a socket; undefined if nothing exists there. */
function rootAt(path: string, glob: Glob | null, cwd: string): Root | null | undefined {
  const given = resolve(cwd, path);
  const stats = path.includes('\0') ? undefined : statSync(given, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const isFolder = stats.isDirectory();
  if (!isFolder && !stats.isFile()) return null;
  const real = realpathSync.native(given);
  return { name: displayName(path, cwd), given, real, isFolder, glob, identity: fileIdentity(stats) };
}

/** Returns the root that contains a path and allows reading it; null if none. The path must have no links. */
export function rootOf(roots: readonly Root[], real: string, isFolder: boolean): Root | null {
  return roots.find((root) => holds(root, real) && (isFolder || admits(root, real)) && !isSystem(root, real)) ?? null;
}

const holds = (root: Root, real: string): boolean => (root.isFolder ? isWithin(real, root.real) : real === root.real);

const admits = ({ glob, real: top }: Root, real: string): boolean =>
  glob === null || glob.matches(posixRelative(top, real));

const isSystem = (root: Root, real: string): boolean =>
  systemFolders.some((folder) => isWithin(real, folder) && !isWithin(root.real, folder));

/** Whether a root's path still leads to the same folder as when the run began. True for a root that is a file. */
export function isUnchanged({ real, isFolder, identity }: Root): boolean {
  if (!isFolder) return true;
  const stats = statSync(real, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && fileIdentity(stats) === identity;
}

/** Returns a path relative to its root, with `/` separators; empty for the root itself. */
export const belowRoot = (root: Root, real: string): string => posixRelative(root.real, real);

/** Returns a path to the file or folder, as the user would type it. */
export function nameIn(root: Root, real: string): string {
  const below = belowRoot(root, real);
  return below === '' ? root.name || '.' : joinName(root.name, below);
}

/** Lists the paths under the roots that a model's path may mean: relative to `cwd`, then to each root. */
export function placesOf(roots: readonly Root[], path: string, cwd: string): string[] {
  const absolute = resolve(cwd, path);
  const named = roots.flatMap(({ given, real }) =>
    [given, real].filter((top) => isWithin(absolute, top)).map((top) => join(real, posixRelative(top, absolute))),
  );
  const below = isAbsolute(path) ? [] : roots.map(({ real }) => join(real, path));
  const isInside = (place: string) => roots.some(({ real }) => isWithin(place, real));
  return [...new Set([...named, ...below])].filter(isInside);
}
