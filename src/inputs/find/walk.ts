import { join } from 'node:path';
import { RlmError } from '../../errors.ts';
import { type Skipped, skippedByError } from '../skipped.ts';
import type { Glob } from './glob.ts';
import { type IgnoreRules, ignoreFiles, loadIgnoreRules } from './ignore-rules.ts';
import type { Entry, FolderView } from './list-folder.ts';
import { type FilePath, joinName, joinPath } from './paths.ts';
import { isSecretPath } from './secret-names.ts';

interface WalkedFile {
  /** Path below the walked folder, with `/` separators; bytes that are not UTF-8 are shown as U+FFFD. */
  readonly below: string;
  /** The absolute path. */
  readonly path: FilePath;
}

export interface FolderWalkOptions {
  /** The absolute path. */
  readonly cwd: string;
  readonly view: FolderView;
  readonly signal: AbortSignal;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Finds the regular files that a glob matches, without links, sorted by name. Never enters `.git`, and skips files
 * that commonly hold secrets.
 * @throws the system's error if the folder itself cannot be read.
 */
export async function walkFolder(
  { folder: top, hidden, levels, matches }: Glob,
  { cwd, view, signal }: FolderWalkOptions,
) {
  const walked = { files: [] as WalkedFile[], skipped: [] as Skipped[], ignored: 0, hidden: 0 };

  function isLeftOut({ name, kind }: Entry, folder: string, rules: IgnoreRules): boolean {
    if (name === '.git') return true;
    const isHidden = !hidden && name.startsWith('.');
    const isIgnored = !isHidden && rules.ignores(joinName(folder, name), kind.isDirectory());
    if (isHidden) walked.hidden++;
    if (isIgnored) walked.ignored++;
    return isHidden || isIgnored;
  }

  function takeFile({ kind }: Entry, place: WalkedFile): void {
    if (!matches(place.below)) return;
    const name = place.below;
    if (!kind.isFile()) walked.skipped.push({ name, reason: kind.isSymbolicLink() ? 'symlink' : 'special' });
    else if (!isSecretPath(name, false)) walked.files.push(place);
    else walked.skipped.push({ name, reason: 'likely secret', detail: 'name it to have it read' });
  }

  async function visit({ below, path }: WalkedFile, outerRules: IgnoreRules, level: number): Promise<void> {
    signal.throwIfAborted();
    const folder = join(top, below);
    const entries = await view.list(path);
    const hasRules = entries.some(({ name }) => ignoreFiles.includes(name));
    const rules = hasRules ? await outerRules.withFolder(folder, path) : outerRules;
    for (const entry of entries) {
      if (isLeftOut(entry, folder, rules)) continue;
      const place = { below: joinName(below, entry.name), path: joinPath(path, entry.rawName) };
      if (!entry.kind.isDirectory()) takeFile(entry, place);
      else if (level < levels) await visit(place, rules, level + 1).catch((error: unknown) => skip(place, error));
    }
  }

  function skip({ below }: WalkedFile, error: unknown): void {
    signal.throwIfAborted();
    if (error instanceof RlmError) throw error;
    walked.skipped.push(skippedByError(below, error));
  }

  await visit({ below: '', path: top }, await loadIgnoreRules(top, cwd, view.readRules), 1);
  walked.files.sort((a, b) => byCodeUnit(a.below, b.below));
  walked.skipped.sort((a, b) => byCodeUnit(a.name, b.name));
  return walked;
}
