import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, systemDetail } from '../../base/files/system.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { RlmError } from '../../errors.ts';
import type { Skipped } from '../skipped.ts';
import { type Glob, parseGlob } from './glob.ts';
import { diskView } from './list-folder.ts';
import { missingInput, unmatchedGlob } from './missing-input.ts';
import { displayName, type FilePath, joinName, keyOfPath } from './paths.ts';
import { type FolderWalkOptions, walkFolder } from './walk.ts';

export interface Input {
  /** The absolute path. */
  readonly path: FilePath;
  /** The path as the user would type it. */
  readonly name: string;
  /** Whether the user named the file itself, rather than a folder or a glob. */
  readonly named: boolean;
  /** Whether the file was found through a folder, or through a glob that names no file ending. */
  readonly isWalked: boolean;
  /** `fifo` and `device` (which includes sockets) occur only for files that the user named. */
  readonly kind: 'file' | 'fifo' | 'device';
}

interface LocatedInput extends Input {
  readonly realPath: string;
}

interface Located {
  readonly inputs: readonly LocatedInput[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

/** The files found at the user's paths. */
export interface FoundInputs extends Omit<Located, 'inputs'> {
  /** The files in the order of the paths, sorted by name within a folder or a glob. No file occurs twice. */
  readonly inputs: readonly Input[];
}

interface FindOptions extends Omit<FolderWalkOptions, 'view'>, Partial<Pick<FolderWalkOptions, 'view'>> {
  readonly paths: readonly string[];
  /** Members of `paths` that may no longer exist: a missing one causes a warning, not an error. Default: none. */
  readonly mayBeGone?: readonly string[];
  /**
   * Files that the run writes or replays. Folders and globs leave these files out. A path that yields only such
   * files is an error.
   */
  readonly excludedFiles?: readonly string[];
}

/** Resolves paths, folders and globs to files. Throws `input-missing`, `input-unreadable`, `usage`. */
export async function findInputs(options: FindOptions): Promise<FoundInputs> {
  const { paths, mayBeGone = [], excludedFiles = [], cwd, view = diskView, signal } = options;
  const excluded = await realPaths(excludedFiles, cwd);
  const found = await mapConcurrent(paths, 16, signal, async (path, combined) => {
    const located = await findInput(path, { cwd, view, signal: combined }).catch((error: unknown) => {
      const isGone = error instanceof RlmError && error.code === 'input-missing' && mayBeGone.includes(path);
      if (!isGone) throw error;
      return { inputs: [], skipped: [], warnings: [`there is nothing at '${path}' any more`] };
    });
    return withoutExcluded(path, located, excluded);
  });
  return {
    inputs: found.length === 1 ? found[0]!.inputs : withoutRepeats(found.flatMap(({ inputs }) => inputs)),
    skipped: found.flatMap(({ skipped }) => skipped),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

async function findInput(given: string, options: FolderWalkOptions): Promise<Located> {
  const { cwd } = options;
  const stats = await statOrNull(given, cwd);
  if (stats?.isDirectory()) return findInFolder(given, options);
  if (stats !== null) return { inputs: [await namedInput(given, cwd, stats)], skipped: [], warnings: [] };
  const glob = parseGlob(given, cwd);
  if (glob !== null) return findByGlob(given, glob, options);
  // In a path without wildcards, backslashes only escape characters, so they are removed.
  const plain = given.replace(/\\(.)/gsu, '$1');
  if (plain === given || (await statOrNull(plain, cwd)) === null) throw missingInput(given, cwd);
  return findInput(plain, options);
}

async function statOrNull(given: string, cwd: string): Promise<Stats | null> {
  if (given === '') throw missingInput(given, cwd);
  try {
    return await stat(resolve(cwd, given));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(errnoOf(error))) return null;
    throw unreadableInput(given, error);
  }
}

/** Creates the error for an existing path that the system refuses to read. */
export function unreadableInput(name: string, error: unknown): RlmError {
  if (error instanceof RlmError) return error;
  const hint = errnoOf(error) === 'EACCES' ? `Check who may read it: ls -ld '${name}'` : 'Leave it out, or repair it.';
  return new RlmError('input-unreadable', `cannot read '${name}': ${systemDetail(error)}`, { hint, cause: error });
}

const kindOf = (stats: Stats): LocatedInput['kind'] => (stats.isFile() ? 'file' : stats.isFIFO() ? 'fifo' : 'device');

const asNamed = { named: true, isWalked: false } as const;

async function namedInput(given: string, cwd: string, stats: Stats): Promise<LocatedInput> {
  const path = resolve(cwd, given);
  const realPath = await realpath(path).catch(() => path);
  return { path, realPath, name: displayName(given, cwd), ...asNamed, kind: kindOf(stats) };
}

async function findInFolder(given: string, options: FolderWalkOptions): Promise<Located> {
  const place = { folder: resolve(options.cwd, given), name: displayName(given, options.cwd) };
  const everything = { ...place, hidden: false, levels: Number.POSITIVE_INFINITY, matches: () => true };
  const walked = await walkFolder(everything, options).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw unreadableInput(given, error);
  });
  return { ...(await locate(walked, everything, true)), warnings: nothingLeftWarnings(given, walked) };
}

async function findByGlob(given: string, glob: Glob, options: FolderWalkOptions): Promise<Located> {
  const walked = await walkFolder(glob, options).catch((error: unknown) => {
    options.signal.throwIfAborted();
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw unmatchedGlob(given, options.cwd, 0);
    throw unreadableInput(glob.folder, error);
  });
  if (walked.files.length === 0) throw unmatchedGlob(given, options.cwd, walked.ignored + walked.hidden);
  return { ...(await locate(walked, glob, !/\.[^/*]+$/.test(given))), warnings: [] };
}

type Walked = Awaited<ReturnType<typeof walkFolder>>;

async function locate({ files, skipped }: Walked, { folder, name }: Pick<Glob, 'folder' | 'name'>, isWalked: boolean) {
  const real = await realpath(folder).catch(() => folder);
  const inputs = files.map(({ below, path }) => {
    const realPath = typeof path === 'string' ? joinName(real, below) : keyOfPath(path);
    return { path, realPath, name: joinName(name, below), named: false, isWalked, kind: 'file' as const };
  });
  return { inputs, skipped: skipped.map((skip) => ({ ...skip, name: joinName(name, skip.name) })) };
}

function nothingLeftWarnings(given: string, { files, ignored, hidden }: Walked): string[] {
  if (files.length > 0 || ignored + hidden === 0) return [];
  return [
    `nothing in '${given}' was read: its files and folders are ignored (${ignored}, by .gitignore or .rlmignore) or ` +
      `hidden (${hidden}); a file that you name is read all the same`,
  ];
}

/**
 * Removes duplicates. The remaining input is `named` if any of the duplicates is `named`. It is `isWalked` if all
 * duplicates are `isWalked`.
 */
function withoutRepeats(inputs: readonly LocatedInput[]): Input[] {
  const first = new Map<string, Input>();
  for (const { realPath, ...input } of inputs) {
    const known = first.get(realPath);
    if (known === undefined) first.set(realPath, input);
    else if (input.named) first.set(realPath, { ...known, ...asNamed });
    else if (!input.isWalked) first.set(realPath, { ...known, isWalked: false });
  }
  return [...first.values()];
}

/** Returns the real paths of the regular files among `paths`. Only regular files lose text when overwritten. */
async function realPaths(paths: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  const found = await Promise.all(paths.map((path) => realFile(resolve(cwd, path)).catch(() => null)));
  return new Set(found.filter((path) => path !== null));
}

const realFile = async (path: string) => ((await stat(path)).isFile() ? realpath(path) : null);

/** Leaves out excluded files. Throws `usage` if no file of the path is left. */
function withoutExcluded(given: string, located: Located, excluded: ReadonlySet<string>): Located {
  const hits = located.inputs.filter(({ realPath }) => excluded.has(realPath));
  if (hits.length === 0) return located;
  const inputs = located.inputs.filter((input) => !hits.includes(input));
  if (inputs.length === 0) throw nothingLeft(given, hits);
  const notices = hits.map(({ name }) => `'${name}' was not read: this run writes or replays it`);
  return { ...located, inputs, warnings: [...located.warnings, ...notices] };
}

function nothingLeft(given: string, hits: readonly Input[]): RlmError {
  const names = hits.map(({ name }) => `'${name}'`).join(', ');
  return new RlmError('usage', `no file of the input '${given}' is left to read: this run writes or replays ${names}`, {
    hint: 'Name another input, or another file with -o (or --report, --junit, --sarif, --log-file, --record, --replay). In a folder, or a glob in quotes, rlm leaves out such a file if other files remain.',
  });
}
