import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IgnoreRules, ignoreFiles } from './ignore-rules.ts';
import { joinName } from './paths.ts';
import { type Skipped, skippedByError } from './skipped.ts';

/** What to walk, and which of the files below it are wanted. */
export interface WalkOptions {
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
  readonly signal: AbortSignal;
}

/** What a walk came upon. Paths are below the walked folder, with `/` separators, sorted. */
export interface Walked {
  readonly files: readonly string[];
  readonly skipped: readonly Skipped[];
  /** How many files and folders were left out because an ignore file says so. */
  readonly ignored: number;
  /** How many were left out because their names begin with a dot. */
  readonly hidden: number;
}

/**
 * Every wanted regular file below a folder. Symbolic links are not followed. A folder below that cannot be listed is
 * skipped.
 * @throws the system's error when the folder itself cannot be listed; the signal's reason
 */
export async function walkFolder(options: WalkOptions): Promise<Walked> {
  const walked = { files: [] as string[], skipped: [] as Skipped[], ignored: 0, hidden: 0 };
  await visitFolder(options, walked, '', options.rules, 1);
  walked.files.sort(byCodeUnit);
  walked.skipped.sort((a, b) => byCodeUnit(a.name, b.name));
  return walked;
}

interface Found {
  readonly files: string[];
  readonly skipped: Skipped[];
  ignored: number;
  hidden: number;
}

async function visitFolder(
  options: WalkOptions,
  found: Found,
  below: string,
  outerRules: IgnoreRules,
  level: number,
): Promise<void> {
  options.signal.throwIfAborted();
  const folder = join(options.folder, below);
  const entries = await readdir(folder, { withFileTypes: true });
  const rules = entries.some(({ name }) => ignoreFiles.includes(name))
    ? await outerRules.withFolder(folder)
    : outerRules;
  for (const entry of entries) {
    if (leavesOut(entry, folder, options, rules, found)) continue;
    const path = joinName(below, entry.name);
    if (!entry.isDirectory()) visitFile(entry, path, options, found);
    else if (level < options.levels) await visitInner(options, found, path, rules, level + 1);
  }
}

async function visitInner(options: WalkOptions, found: Found, below: string, rules: IgnoreRules, level: number) {
  try {
    await visitFolder(options, found, below, rules, level);
  } catch (error) {
    options.signal.throwIfAborted();
    found.skipped.push(skippedByError(below, error));
  }
}

function leavesOut(entry: Dirent, folder: string, options: WalkOptions, rules: IgnoreRules, found: Found): boolean {
  if (entry.name === '.git') return true;
  if (!options.hidden && entry.name.startsWith('.')) {
    found.hidden++;
    return true;
  }
  const ignored = rules.ignores(join(folder, entry.name), entry.isDirectory());
  if (ignored) found.ignored++;
  return ignored;
}

function visitFile(entry: Dirent, path: string, options: WalkOptions, found: Found): void {
  if (!options.wants(path)) return;
  if (entry.isFile()) found.files.push(path);
  else found.skipped.push({ name: path, reason: entry.isSymbolicLink() ? 'symlink' : 'special' });
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
