import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, systemDetail } from '../../base/files/system.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { RlmError } from '../../errors.ts';
import type { Skipped } from '../skipped.ts';
import { type Glob, parseGlob } from './glob.ts';
import { loadIgnoreRules } from './ignore-rules.ts';
import { diskView, type FolderView } from './list-folder.ts';
import type { Input, Located, LocatedInput } from './located.ts';
import { missingInput, unmatchedGlob } from './missing-input.ts';
import { displayName, type FilePath, joinName } from './paths.ts';
import { type Walked, walkFolder } from './walk.ts';
import { realPaths, withoutWritten } from './written-files.ts';

/** The files that the user's paths stand for. */
export interface FoundInputs {
  /** In the order of the paths, sorted by name within a folder or a glob; no file twice. */
  readonly inputs: readonly Input[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export interface FindOptions {
  /** Files, folders and globs, as the user typed them. */
  readonly paths: readonly string[];
  /** Those of `paths` where nothing may be any more, which is a warning; default: none. */
  readonly mayBeGone?: readonly string[];
  /** Files that the run itself writes: no folder or glob brings them in, and naming one is an error. */
  readonly written?: readonly string[];
  /** Absolute path of the folder that relative paths start from. */
  readonly cwd: string;
  /** Where folders are listed; default: the disk. */
  readonly view?: FolderView;
  readonly signal: AbortSignal;
}

type Search = Required<Pick<FindOptions, 'cwd' | 'view' | 'signal'>>;

/** Finds the files that paths, folders and globs stand for. Throws `input-missing`, `input-unreadable`, `usage`. */
export async function findInputs(options: FindOptions): Promise<FoundInputs> {
  const { paths, mayBeGone = [], written = [], cwd, view = diskView, signal } = options;
  const ours = await realPaths(written, cwd);
  const found = await mapConcurrent(paths, 16, signal, async (path, either) => {
    const located = await findInput(path, { cwd, view, signal: either }).catch((error: unknown) => {
      const isGone = error instanceof RlmError && error.code === 'input-missing' && mayBeGone.includes(path);
      if (!isGone) throw error;
      return { inputs: [], skipped: [], warnings: [`there is nothing at '${path}' any more`] };
    });
    return withoutWritten(path, located, ours);
  });
  return {
    inputs: found.length === 1 ? found[0]!.inputs : withoutRepeats(found.flatMap(({ inputs }) => inputs)),
    skipped: found.flatMap(({ skipped }) => skipped),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

async function findInput(given: string, search: Search): Promise<Located> {
  const { cwd } = search;
  const stats = await statOrNull(given, cwd);
  if (stats?.isDirectory()) return findInFolder(given, search);
  if (stats !== null) return { inputs: [await namedInput(given, cwd, stats)], skipped: [], warnings: [] };
  const glob = parseGlob(given, cwd);
  if (glob === null) throw missingInput(given, cwd);
  return findByGlob(given, glob, search);
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

/** The error for a path that exists and that the system refuses to read. */
export function unreadableInput(name: string, error: unknown): RlmError {
  if (error instanceof RlmError) return error;
  const hint = errnoOf(error) === 'EACCES' ? `Check who may read it: ls -ld '${name}'` : 'Leave it out, or repair it.';
  return new RlmError('input-unreadable', `cannot read '${name}': ${systemDetail(error)}`, { hint, cause: error });
}

const kindOf = (stats: Stats): LocatedInput['kind'] => (stats.isFile() ? 'file' : stats.isFIFO() ? 'fifo' : 'device');

const asNamed = { named: true, isWalked: false } as const;

/** Names that are not UTF-8 can be equal as strings; their bytes differ. */
const keyOf = (path: FilePath): string => path.toString('latin1');

async function namedInput(given: string, cwd: string, stats: Stats): Promise<LocatedInput> {
  const path = resolve(cwd, given);
  const realPath = await realpath(path).catch(() => path);
  return { path, realPath, name: displayName(given, cwd), ...asNamed, kind: kindOf(stats) };
}

async function findInFolder(given: string, { cwd, view, signal }: Search): Promise<Located> {
  const folder = resolve(cwd, given);
  const rules = await loadIgnoreRules(folder, cwd, view.readRules);
  const everything = {
    folder,
    rules,
    hidden: false,
    levels: Number.POSITIVE_INFINITY,
    wants: () => true,
    view,
    signal,
  };
  const walked = await walkFolder(everything).catch((error: unknown) => {
    signal.throwIfAborted();
    throw unreadableInput(given, error);
  });
  return { ...(await locate(walked, folder, displayName(given, cwd))), warnings: nothingLeftWarnings(given, walked) };
}

async function findByGlob(given: string, glob: Glob, { cwd, view, signal }: Search): Promise<Located> {
  const rules = await loadIgnoreRules(glob.folder, cwd, view.readRules);
  const walked = await walkFolder({ ...glob, rules, wants: glob.matches, view, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw unmatchedGlob(given, cwd, 0);
    throw unreadableInput(glob.folder, error);
  });
  if (walked.files.length === 0) throw unmatchedGlob(given, cwd, walked.ignored + walked.hidden);
  const { inputs, skipped } = await locate(walked, glob.folder, glob.name);
  const isWalked = !/\.[^/*]+$/.test(given);
  return { inputs: inputs.map((input) => ({ ...input, isWalked })), skipped, warnings: [] };
}

async function locate(walked: Walked, folder: string, name: string): Promise<Omit<Located, 'warnings'>> {
  const real = await realpath(folder).catch(() => folder);
  const inputs = walked.files.map(({ below, path }) => {
    const realPath = typeof path === 'string' ? joinName(real, below) : keyOf(path);
    return { path, realPath, name: joinName(name, below), named: false, isWalked: true, kind: 'file' as const };
  });
  return { inputs, skipped: walked.skipped.map((skip) => ({ ...skip, name: joinName(name, skip.name) })) };
}

function nothingLeftWarnings(given: string, { files, ignored, hidden }: Walked): string[] {
  if (files.length > 0 || ignored + hidden === 0) return [];
  return [
    `nothing in '${given}' was read: ${ignored} of its files and folders are ignored (.gitignore, .rlmignore) and ` +
      `${hidden} hidden; name a file to read it all the same`,
  ];
}

/** Keeps the first of inputs that are the same file, as named where one of them was named. */
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
