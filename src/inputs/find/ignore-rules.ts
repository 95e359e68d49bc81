import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readOwnText, UnfitFile } from '../../base/files/own-file.ts';
import { RlmError } from '../../errors.ts';
import { type FilePath, isWithin, joinPath, posixRelative } from './paths.ts';

/** Read in every folder, in this order: where both speak of a file, the later one wins. */
export const ignoreFiles: readonly string[] = ['.gitignore', '.rlmignore'];

/** What the ignore files from a top folder down to some folder say, as git would read them. */
export interface IgnoreRules {
  /** Whether an entry is ignored, given as an absolute path below the top folder. */
  ignores(path: string, isFolder: boolean): boolean;
  /**
   * These rules and those of a folder's own ignore files, which win over them. A file that cannot be read holds none; a
   * pipe or a device in its place is an error.
   * @param place the folder as the system takes it, where the string is not that
   */
  withFolder(folder: string, place?: FilePath): Promise<IgnoreRules>;
}

/** The text of an ignore file; empty where there is none, or it cannot be read. */
export type ReadRules = (file: FilePath) => Promise<string>;

const readAny: ReadRules = async (file) => {
  try {
    return readOwnText(file);
  } catch (error) {
    if (error instanceof UnfitFile) throw unfit(file, error);
    return '';
  }
};

const unfit = (file: FilePath, { code }: UnfitFile) =>
  new RlmError('input-unreadable', `the ignore file ${file} cannot be read (${code})`, {
    hint: 'Put a text file in its place, or move it away.',
  });

/**
 * The rules that hold in the parents of `folder` (its own are not among them), from the nearest folder that holds
 * `.git`, or else from `cwd` when the folder lies in it. A folder that these rules ignore counts as named on purpose:
 * what lies in it is judged by itself. Both paths are absolute.
 * @param read reads the ignore files of these folders and of those that are asked for later.
 * @throws RlmError `input-unreadable` for a pipe, a device or a file of MBs in place of an ignore file.
 */
export async function loadIgnoreRules(folder: string, cwd: string, read: ReadRules = readAny): Promise<IgnoreRules> {
  const top = gitRoot(folder) ?? (isWithin(folder, cwd) ? cwd : folder);
  const path = foldersDownTo(folder, top);
  let rules = createRules(top, ignore({ ignorecase: false }), read);
  for (const parent of path.slice(0, -1)) rules = await rules.withFolder(parent);
  return rules.withLines(path.slice(1).map((named) => `!/${escapePattern(posixRelative(top, named))}/`));
}

interface LineRules extends IgnoreRules {
  withFolder(folder: string, place?: FilePath): Promise<LineRules>;
  withLines(lines: readonly string[]): LineRules;
}

function createRules(top: string, matcher: Ignore, read: ReadRules): LineRules {
  const withLines = (lines: readonly string[]): LineRules =>
    lines.length === 0 ? rules : createRules(top, ignore({ ignorecase: false }).add(matcher).add(lines), read);
  const rules: LineRules = {
    ignores: (path, isFolder) => matcher.ignores(posixRelative(top, path) + (isFolder ? '/' : '')),
    withFolder: async (folder, place = folder) => withLines(await readLines(place, posixRelative(top, folder), read)),
    withLines,
  };
  return rules;
}

async function readLines(folder: FilePath, prefix: string, read: ReadRules): Promise<string[]> {
  const texts = await Promise.all(ignoreFiles.map((name) => read(joinPath(folder, name))));
  const lines = texts.flatMap((text) => text.replace(/^\uFEFF/, '').split(/\r?\n/));
  const patterns = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return prefix === '' ? patterns : patterns.map((pattern) => rebase(pattern, prefix));
}

/** A pattern from a folder's ignore file as it would be written in that of the top folder. */
function rebase(line: string, prefix: string): string {
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  const anchored = /\/(?!\s*$)/.test(pattern);
  return `${negation}/${escapePattern(prefix)}/${anchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&');
}

function gitRoot(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : gitRoot(parent);
}

function foldersDownTo(folder: string, top: string): string[] {
  return folder === top ? [top] : [...foldersDownTo(dirname(folder), top), folder];
}
