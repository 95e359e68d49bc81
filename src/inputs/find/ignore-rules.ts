import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readOwnText, UnfitFile } from '../../base/files/own-file.ts';
import { RlmError } from '../../errors.ts';
import { type FilePath, isWithin, joinPath, posixRelative } from './paths.ts';

/** Read in every folder, in this order: where both speak of a file, the later one wins. */
export const ignoreFiles: readonly string[] = ['.gitignore', '.rlmignore'];

/** The rules of the ignore files from a top folder down to some folder, as git reads them. */
export interface IgnoreRules {
  /** Whether an entry is ignored, given as an absolute path below the top folder. */
  ignores(path: string, isFolder: boolean): boolean;
  /**
   * Adds the rules of a folder's own ignore files, which win. A file that cannot be read has no rules; a pipe or a
   * device in its place is an error.
   * @param place the folder as the system takes it, where the string is not that
   */
  withFolder(folder: string, place?: FilePath): Promise<IgnoreRules>;
}

/** Returns the text of an ignore file; empty where there is none, or it cannot be read. */
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
 * Loads the rules of the parents of `folder`, without its own, from the nearest folder that holds `.git`, or else from
 * `cwd` when the folder lies in it. Where these rules ignore the folder, it counts as named on purpose: its content is
 * judged by itself. Both paths are absolute.
 * @param read reads the ignore files of these folders and of those that are asked for later.
 * @throws RlmError `input-unreadable` for a pipe, a device or a file of MBs in place of an ignore file.
 */
export async function loadIgnoreRules(folder: string, cwd: string, read: ReadRules = readAny): Promise<IgnoreRules> {
  const top = gitRoot(folder) ?? (isWithin(folder, cwd) ? cwd : folder);
  const path = foldersDownTo(folder, top);
  let rules = createRules(top, null, read);
  for (const parent of path.slice(0, -1)) rules = await rules.withFolder(parent);
  return rules.withLines(path.slice(1).map((named) => `!/${escapePattern(posixRelative(top, named))}/`));
}

interface LineRules extends IgnoreRules {
  withFolder(folder: string, place?: FilePath): Promise<LineRules>;
  withLines(lines: readonly string[]): LineRules;
}

/** @param matcher null: nothing is ignored, which takes no time to tell. */
function createRules(top: string, matcher: Ignore | null, read: ReadRules): LineRules {
  const withLines = (lines: readonly string[]): LineRules => {
    // A negated pattern has no effect without a rule before it.
    if (lines.length === 0 || (matcher === null && lines.every((line) => line.startsWith('!')))) return rules;
    return createRules(
      top,
      ignore({ ignorecase: false })
        .add(matcher ?? [])
        .add(lines),
      read,
    );
  };
  const rules: LineRules = {
    ignores: (path, isFolder) => matcher?.ignores(posixRelative(top, path) + (isFolder ? '/' : '')) ?? false,
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

/** Returns a pattern of a folder's ignore file as the top folder's would have it. */
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
