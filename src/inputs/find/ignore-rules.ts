import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readOwnText, UnfitFile } from '../../base/files/own-file.ts';
import { compileGlob } from '../../base/glob.ts';
import { RlmError } from '../../errors.ts';
import { type FilePath, isWithin, joinPath, posixRelative } from './paths.ts';

/** Names of the ignore files of a folder, in order. If both have a rule for a file, the rule in `.rlmignore` wins. */
export const ignoreFiles: readonly string[] = ['.gitignore', '.rlmignore'];

/** Longest rule of an ignore file, in characters. Longer lines are skipped. */
const longestLine = 1_000;

/** The rules of the ignore files from a top folder down to one folder. They are applied as in git. */
export interface IgnoreRules {
  /** Whether an entry is ignored. `path`: absolute, below the top folder. */
  ignores(path: string, isFolder: boolean): boolean;
  /** Adds the rules of a folder's own ignore files, which take precedence. `place`: its path for system calls. */
  withFolder(folder: string, place?: FilePath): Promise<IgnoreRules>;
}

/** Returns the text of an ignore file; empty if the file is missing or cannot be read. */
export type ReadRules = (file: FilePath) => Promise<string>;

/** Reads an ignore file. Throws RlmError `input-unreadable` for a pipe, a device, or more than 4 MB. */
export const readRules: ReadRules = async (file) => {
  try {
    return readOwnText(file);
  } catch (error) {
    if (!(error instanceof UnfitFile)) return '';
    throw new RlmError('input-unreadable', `the ignore file ${file} cannot be read (${error.code})`, {
      hint: 'Put a text file in its place, or move it away.',
    });
  }
};

/**
 * Loads the rules of the folders above `folder`, but not the rules in `folder` itself. The topmost of these folders is
 * the nearest one with `.git`, or else `cwd` if `folder` is in `cwd`. If the rules ignore `folder` itself, its content
 * is still judged file by file, because the user named the folder. Both paths are absolute.
 * @throws RlmError `input-unreadable` for a pipe, a device or a very large file in place of an ignore file.
 */
export async function loadIgnoreRules(folder: string, cwd: string, read: ReadRules): Promise<IgnoreRules> {
  const top = gitRoot(folder) ?? (isWithin(folder, cwd) ? cwd : folder);
  const path = foldersDownTo(folder, top);
  let rules = createRules(folder, [], read);
  for (const parent of path.slice(0, -1)) rules = await rules.withFolder(parent);
  return rules;
}

interface Rule {
  /** Absolute path of the folder that holds the ignore file. */
  readonly folder: string;
  /** Whether the line begins with `!` and re-includes files that earlier lines ignore. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Whether the rule is matched against paths relative to the folder, rather than against names at any depth. */
  readonly isPath: boolean;
  matches(path: string): boolean;
}

/** Creates rules for the content of the folder `named`; the first of `lines` that matches wins. */
function createRules(named: string, lines: readonly Rule[], read: ReadRules): IgnoreRules {
  const folders = new Map<string, boolean>();

  function isIgnored(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf(sep) + 1);
    const rule = lines.find(
      ({ folder, isForFolders, isPath, matches }) =>
        (isFolder || !isForFolders) &&
        path !== folder &&
        isWithin(path, folder) &&
        matches(isPath ? posixRelative(folder, path) : name),
    );
    return rule !== undefined && !rule.isNegated;
  }

  function isInIgnored(path: string): boolean {
    const folder = dirname(path);
    if (folder === named || !isWithin(folder, named)) return false;
    const known = folders.get(folder) ?? (isInIgnored(folder) || isIgnored(folder, true));
    folders.set(folder, known);
    return known;
  }

  return {
    ignores: (path, isFolder) => lines.length > 0 && (isInIgnored(path) || isIgnored(path, isFolder)),
    async withFolder(folder, place = folder) {
      const texts = await Promise.all(ignoreFiles.map((name) => read(joinPath(place, name))));
      const added = texts
        .flatMap((text) => text.replace(/^\uFEFF/, '').split(/\r?\n/))
        .flatMap((line) => readLine(line, folder) ?? []);
      return createRules(named, [...added.reverse(), ...lines], read);
    },
  };
}

function readLine(line: string, folder: string): Rule | null {
  // Drops the blanks at the end, except one after a backslash. The pattern tries each run of blanks once, so that its
  // time is linear.
  const text = line.replace(/(?<=^|[^\\ ]|\\ ) +$/, '');
  if (text === '' || text.startsWith('#') || text.length > longestLine) return null;
  const isNegated = text.startsWith('!');
  const pattern = text.slice(isNegated ? 1 : 0);
  const path = pattern.replace(/\/$/, '');
  if (path === '') return null;
  return {
    folder,
    isNegated,
    isForFolders: path !== pattern,
    isPath: path.includes('/'),
    matches: compileGlob(path.replace(/^\//, ''), { dot: true, braces: false }),
  };
}

function gitRoot(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : gitRoot(parent);
}

function foldersDownTo(folder: string, top: string): string[] {
  return folder === top ? [top] : [...foldersDownTo(dirname(folder), top), folder];
}
