import { join } from 'node:path';
import { RlmError } from '../../errors.ts';
import { type Skipped, skippedByError } from '../skipped.ts';
import { type IgnoreRules, ignoreFiles } from './ignore-rules.ts';
import type { Entry, FolderView } from './list-folder.ts';
import { type FilePath, joinName, joinPath } from './paths.ts';

/** What to walk, and which of the files below it are wanted. */
export interface FolderWalkOptions {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Rules of its parents; those of the folder itself and of the folders below are read on the way. */
  readonly rules: IgnoreRules;
  /** Whether hidden files and folders are looked at; `.git` never is. */
  readonly hidden: boolean;
  /** How many levels of folders are entered; 1 is the folder alone. */
  readonly levels: number;
  /** Whether a file is wanted, by its path below the folder, with `/` separators. */
  wants(below: string): boolean;
  readonly view: FolderView;
  readonly signal: AbortSignal;
}

interface WalkedFile {
  /** Below the walked folder, with `/` separators; what is not UTF-8 is shown as U+FFFD. */
  readonly below: string;
  /** Absolute. */
  readonly path: FilePath;
}

/** What a walk found. Names are below the walked folder, with `/` separators, sorted. */
export interface Walked {
  readonly files: readonly WalkedFile[];
  readonly skipped: readonly Skipped[];
  /** How many files and folders were left out because an ignore file says so. */
  readonly ignored: number;
  /** How many were left out because their names begin with a dot. */
  readonly hidden: number;
}

/** Finds every wanted regular file below a folder, without links. Throws the system's error for the folder itself. */
export async function walkFolder(options: FolderWalkOptions): Promise<Walked> {
  const walked = { files: [] as WalkedFile[], skipped: [] as Skipped[], ignored: 0, hidden: 0 };
  await visitFolder(options, walked, { below: '', path: options.folder }, options.rules, 1);
  walked.files.sort((a, b) => byCodeUnit(a.below, b.below));
  walked.skipped.sort((a, b) => byCodeUnit(a.name, b.name));
  return walked;
}

interface Found {
  readonly files: WalkedFile[];
  readonly skipped: Skipped[];
  ignored: number;
  hidden: number;
}

async function visitFolder(
  options: FolderWalkOptions,
  found: Found,
  { below, path }: WalkedFile,
  outerRules: IgnoreRules,
  level: number,
): Promise<void> {
  options.signal.throwIfAborted();
  const folder = join(options.folder, below);
  const entries = await options.view.list(path);
  const rules = entries.some(({ name }) => ignoreFiles.includes(name))
    ? await outerRules.withFolder(folder, path)
    : outerRules;
  for (const entry of entries) {
    if (leavesOut(entry, folder, options, rules, found)) continue;
    const place = { below: joinName(below, entry.name), path: joinPath(path, entry.rawName) };
    if (!entry.kind.isDirectory()) visitFile(entry, place, options, found);
    else if (level < options.levels) await visitInner(options, found, place, rules, level + 1);
  }
}

async function visitInner(
  options: FolderWalkOptions,
  found: Found,
  place: WalkedFile,
  rules: IgnoreRules,
  level: number,
) {
  try {
    await visitFolder(options, found, place, rules, level);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RlmError) throw error;
    found.skipped.push(skippedByError(place.below, error));
  }
}

function leavesOut(
  entry: Entry,
  folder: string,
  options: FolderWalkOptions,
  rules: IgnoreRules,
  found: Found,
): boolean {
  if (entry.name === '.git') return true;
  if (!options.hidden && entry.name.startsWith('.')) {
    found.hidden++;
    return true;
  }
  const ignored = rules.ignores(joinName(folder, entry.name), entry.kind.isDirectory());
  if (ignored) found.ignored++;
  return ignored;
}

function visitFile({ kind }: Entry, place: WalkedFile, options: FolderWalkOptions, found: Found): void {
  if (!options.wants(place.below)) return;
  if (kind.isFile()) found.files.push(place);
  else found.skipped.push({ name: place.below, reason: kind.isSymbolicLink() ? 'symlink' : 'special' });
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
