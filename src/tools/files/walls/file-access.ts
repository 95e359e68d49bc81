import { closeSync, realpathSync, statSync } from 'node:fs';
import { systemDetail } from '../../../base/files/system.ts';
import { ToolError } from '../../tool-error.ts';
import { createGuard, type Refusal } from './guard.ts';
import { type Checked, type OpenFile, openChecked, toOpenFile } from './open-checked.ts';
import { findRoots, isUnchanged, nameIn, placesOf, type RootedPath, rootOf } from './roots.ts';
import { shownName } from './shown-name.ts';
import { type Walk, type WalkOptions, walkFrom } from './walk.ts';

/** Access to the files under the roots that the user gave. */
export type FileAccess = ReturnType<typeof createFileAccess>;

export interface FileAccessOptions {
  readonly cwd: string;
  readonly unguarded: boolean;
}

/**
 * Gives access to the files under the roots, with all links resolved. Checks the opened file as well as its path.
 * @param roots files, folders and globs, as the user typed them; a file that is a root is always read.
 * @param cwd absolute; paths are relative to it.
 * @param unguarded whether to also read files that an ignore file names, or that commonly hold secrets.
 * @throws RlmError `input-missing` for a root that does not exist.
 */
export function createFileAccess(roots: readonly string[], { cwd, unguarded }: FileAccessOptions) {
  const found = findRoots(roots, cwd);
  const guard = createGuard(realpathSync.native(cwd), unguarded);

  function missing(path: string): ToolError {
    const named = found.map((root) => shownName(root.name || '.')).join(', ');
    return new ToolError(
      `there is no ${shownName(path)} that may be read: files are read only under ${named || 'no root'}`,
    );
  }

  /** Resolves a path from a model. The error is the same for a missing file and for a file outside the roots. */
  function resolveGiven(path: string): RootedPath {
    for (const place of path.includes('\0') ? [] : placesOf(found, path, cwd)) {
      const real = realPathOrNull(place);
      const isFolder = real !== null && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
      const root = real === null ? null : rootOf(found, real, isFolder);
      if (root !== null) return { root, real: real!, isFolder };
    }
    throw missing(path);
  }

  async function checkGuard(path: string, { root, real, isFolder }: RootedPath): Promise<void> {
    const refusal = await guard.judge(root, real, isFolder);
    if (refusal !== null) throw refused(path, refusal);
  }

  /** Opens a file; the caller closes it. `path` comes from a model, so it may be any text. */
  async function open(path: string): Promise<OpenFile> {
    const { real, isFolder } = resolveGiven(path);
    if (isFolder) throw new ToolError(`${shownName(path)} is a folder: list_files shows what is in it`);
    const checked = openOrExplain(real, path);
    try {
      const root = rootOf(found, checked.real, false);
      if (root === null || !isUnchanged(root)) throw missing(path);
      await checkGuard(path, { root, real: checked.real, isFolder: false });
      return toOpenFile(checked, nameIn(root, checked.real));
    } catch (error) {
      closeSync(checked.descriptor);
      throw error;
    }
  }

  /** Walks the files at a path; all files if it is null. The iteration throws the signal's reason after an abort. */
  async function walk(path: string | null, options: WalkOptions): Promise<Walk> {
    const tops = found.map((root) => ({ root, real: root.real, isFolder: root.isFolder }));
    const starts = path === null ? tops : [resolveGiven(path)];
    if (path !== null) {
      await checkGuard(path, starts[0]!);
      refuseSpecial(starts[0]!.real, path);
    }
    return walkFrom(starts, found, guard, options);
  }

  return { roots: found.map(({ name }) => name || '.'), open, walk };
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function refuseSpecial(real: string, path: string): void {
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  const kind = stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device';
  throw new ToolError(`${shownName(path)} cannot be read: it is a ${kind}, no regular file`);
}

function openOrExplain(real: string, path: string): Checked {
  refuseSpecial(real, path);
  try {
    const checked = openChecked(real, 'file');
    if (checked !== null) return checked;
  } catch (error) {
    throw new ToolError(`${shownName(path)} cannot be read: ${systemDetail(error)}`);
  }
  throw new ToolError(`${shownName(path)} cannot be read: it was replaced just now`);
}

const reasons: Readonly<Record<Refusal, string>> = {
  ignored: 'an ignore file (.gitignore, .rlmignore) names it',
  secret: 'files of that name commonly hold secrets',
};

const refused = (path: string, refusal: Refusal): ToolError =>
  new ToolError(`${shownName(path)} is not read: ${reasons[refusal]}. Only the user can allow it, by naming it.`);
