/** Prevents a command's outputs from replacing its inputs. */
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOwnFile, readOwnHead } from '../base/files/own-file.ts';
import { isSameFile, statsOf } from '../base/files/system.ts';
import { sha256 } from '../base/sha256.ts';
import { indexesFolder, runsFolder, stateFolder } from '../config/folders.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import { isRolePath } from '../config/trust.ts';
import { RlmError } from '../errors.ts';
import { findRun, listRuns as keptRuns, readRun } from '../journal/runs.ts';
import { runsFolderOf } from './runs/recorded-runs.ts';
import { isReport } from './runs/reports.ts';

const realpathOf = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);

/** Matches the beginning of a log of rlm. */
const logStart = /^\{"level":\d0,"time":"[^"]{24}","seq":\d/;

/** Returns the name of the empty file in a run's folder which records that the run wrote a file with this content. */
const outputMark = (path: string): string => `output-${sha256(readOwnFile(path), 32)}`;

async function isOurs(path: string): Promise<boolean> {
  if ((await isReport(path)) || logStart.test(readOwnHead(path, 64).toString())) return true;
  try {
    const mark = outputMark(path);
    return (await keptRuns(runsFolderOf({}))).some(({ folder }) => existsSync(join(folder, mark)));
  } catch {
    return false;
  }
}

/** Records the content of outputs that this process wrote in a run, so that later runs may replace them. */
export async function recordOutputs(runId: string | null, outputs: readonly string[]): Promise<void> {
  if (outputs.length === 0 || runId === null) return;
  const run = await findRun(runsFolderOf({}), runId).catch(() => null);
  for (const path of run === null ? [] : outputs)
    try {
      const isWritten = statSync(path).mtimeMs >= performance.timeOrigin;
      if (isWritten) writeFileSync(join(run!.folder, outputMark(path)), '', { mode: 0o600 });
    } catch {} // Without a mark, a later run refuses to replace the output.
}

/** Returns the files, folders and globs of an index; none if it cannot be read. The command reports the error later. */
async function pathsOfIndex(name: string, { settings, env }: Configuration): Promise<string[]> {
  const { listIndexes } = await import('../indexes/kept-indexes.ts');
  const found = listIndexes(indexesFolder(stateFolder(settings, env))).find((one) => one.name === name);
  return (found?.paths ?? []).map((path) => resolve(found!.cwd!, path));
}

/** Returns the files and folders that the settings name, and the configuration files. */
function pathsOfSettings({ settings, cwd, files }: Configuration): string[] {
  const { role, prompts, schema } = settings;
  const named = [prompts, role !== null && isRolePath(role) ? role : null, typeof schema === 'string' ? schema : null];
  return [...named.flatMap((path) => (path === null ? [] : resolve(cwd, path))), ...files.map(({ path }) => path)];
}

/** Throws RlmError `usage` if an output is an existing file of an index or of a run. */
export async function checkStateFiles(outputs: readonly string[], { settings, env }: Configuration): Promise<void> {
  const existing = outputs.filter((path) => existsSync(path));
  const state = stateFolder(settings, env);
  const { isWithin } = await import('../inputs/find/paths.ts');
  for (const folder of [indexesFolder(state), runsFolder(state)])
    if (existing.some((path) => isWithin(realpathSync(path), realpathOf(folder))))
      throw new RlmError('usage', `the output would overwrite a file in ${folder}`, {
        hint: 'Name another file for the output: this folder holds the indexes or the runs of rlm.',
      });
}

/**
 * Throws if an output that is not empty is an input, or a file of the configuration, of an index or of a run. Exempts
 * old outputs of rlm that were found in a folder or by a glob.
 * @param given files, folders and globs that the command reads.
 * @param index the index that the command reads; null: none.
 * @throws RlmError `usage`.
 */
export async function checkOutputs(
  outputs: readonly string[],
  given: readonly string[],
  configuration: Configuration = loadConfiguration({}),
  index: string | null = null,
): Promise<void> {
  await checkStateFiles(outputs, configuration);
  const existing = outputs.filter((path) => (statsOf(path)?.size ?? 0) > 0);
  if (existing.length === 0) return;
  const paths = [...given, ...pathsOfSettings(configuration)];
  if (index !== null) paths.push(...(await pathsOfIndex(index, configuration)));
  const { findInputs } = await import('../inputs/find/find-inputs.ts');
  const signal = new AbortController().signal;
  // Skips a path with an error, so that the other paths are checked. The command reports the error later.
  const find = (path: string) => findInputs({ paths: [path], cwd: process.cwd(), signal }).catch(() => null);
  const inputs = (await Promise.all(paths.map(find))).flatMap((found) => found?.inputs ?? []);
  for (const path of existing.map((one) => resolve(one))) {
    const own = statSync(path);
    const input = inputs.find((one) => {
      const stats = one.kind === 'file' ? statSync(one.path, { throwIfNoEntry: false }) : undefined;
      return stats?.isFile() && stats.ino === own.ino && stats.dev === own.dev;
    });
    if (input === undefined || (!input.named && (await isOurs(path)))) continue;
    throw new RlmError('usage', `the output would overwrite the input '${input.name}', or append to it`, {
      hint: input.named
        ? 'Name another file for the output.'
        : 'Name another file for the output. If the input is an old output, remove it, or name it in .rlmignore.',
    });
  }
}

/** Throws RlmError `usage` if the log is one of the paths, even if it is empty or does not exist yet. */
export function checkLog(file: string | null, paths: readonly string[]): void {
  if (file === null || !paths.some((path) => isSameFile(path, file))) return;
  throw new RlmError('usage', `the log '${file}' is an input`, { hint: 'Name another file with --log-file.' });
}

async function inputsOfRun(runId: string | null) {
  const { run } = await readRun(await findRun(runsFolderOf({}), runId));
  return { paths: run.paths.map((path) => resolve(run.cwd, path)), index: run.index ?? null };
}

/** Checks a log against the inputs of a recorded run. Ignores an unreadable run, which the command reports later. */
export async function checkRunLog(file: string | null, runId: string | null): Promise<void> {
  const read = file === null ? null : await inputsOfRun(runId).catch(() => null);
  checkLog(file, read?.paths ?? []);
}

/**
 * Checks outputs against the inputs of a recorded run. The outputs are those of a report, resumption or follow-up.
 * @param runId null: the newest run.
 * @throws RlmError `usage`, `run-missing`, `journal-damaged`.
 */
export async function checkRunOutputs(
  outputs: readonly string[],
  runId: string | null,
  configuration?: Configuration,
): Promise<void> {
  if (outputs.length === 0) return;
  const { paths, index } = await inputsOfRun(runId);
  await checkOutputs(outputs, paths, configuration, index);
}
