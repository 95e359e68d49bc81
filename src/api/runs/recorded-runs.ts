/** docs/runs.md describes the fields of recorded runs. */
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { evaluationsFolder, runsFolder, stateFolder } from '../../config/folders.ts';
import { loadConfiguration } from '../../config/layers.ts';
import type { Environment } from '../../config/setting-layers.ts';
import { RlmError } from '../../errors.ts';
import { type CallRecord, encodeRecord, type JournalContent, type JournalRecord } from '../../journal/journal.ts';
import {
  findRun,
  isOurs,
  isRunning,
  type KeptRun,
  listRuns as keptRuns,
  lastChange,
  outlineRun,
  outlineRuns,
  type RunOutline,
  readRun,
  removeRuns as removeAll,
  runBytes,
} from '../../journal/runs.ts';
import { callKey } from '../../run/door/call-identity.ts';

/** The environment and the working folder. They determine the state folder, which contains the runs. */
export interface RunsOptions {
  /** Default: `process.env`. */
  readonly env?: Environment;
  /** Default: `process.cwd()`. */
  readonly cwd?: string;
}

/** Returns the state folder of the current configuration. */
export function stateFolderOf({ env = process.env, cwd = process.cwd() }: RunsOptions): string {
  return stateFolder(loadConfiguration({ env, cwd }).settings, env);
}

/** Returns the folder that contains a folder for each run. */
export const runsFolderOf = (options: RunsOptions): string => runsFolder(stateFolderOf(options));

/** Returns a run as `rlm runs list --json` shows it. Fields may be added, but never change. */
export function listedRun({ id, folder, status, at, partOf, calls, run, end, resumable, damage }: RunOutline) {
  return {
    ...{ runId: id, at, partOf, status, task: run?.task ?? null, cwd: run?.cwd ?? null, calls },
    documents: run?.documents.length ?? null,
    ...{ provider: run?.provider ?? null, model: run?.model.model ?? null },
    ...{ confidence: end?.result.confidence ?? null, resumable, damage, folder },
  };
}

/** The summary of a recorded run. */
export type ListedRun = ReturnType<typeof listedRun>;

/** Returns a call without its reply, which may be long. */
function listedCall({ place, prompt, question, hash, tokens, finish, tries, usedMs }: CallRecord) {
  return { place, prompt, question, hash, tokens, finish, tries, usedMs };
}

/** Returns a run as `rlm runs show --json` shows it. Within a `schemaVersion`, fields are added but never change. */
export function detailedRun(outline: RunOutline, content: JournalContent) {
  const { task, cwd, paths, documents, provider, model, settings, flags } = content.run;
  const { id: runId, status, at, resumable, end } = outline;
  const { usedMs, damagedLines, calls, lost } = content;
  return {
    ...{ schemaVersion: 1, runId, status, at, task, cwd, paths, documents, provider, model: model.model },
    ...{ settings, flags, usedMs, resumable, damagedLines, calls: calls.map(listedCall), lost },
    result: end?.result ?? null,
  };
}

/** A recorded run with its calls and its result. */
export type DetailedRun = ReturnType<typeof detailedRun>;

/**
 * Lists recorded runs, newest first.
 * @param options `all`: whether runs of evaluations and checks are listed, too; default: no.
 * @throws RlmError `run-missing` when the runs cannot be read.
 */
export async function listRuns({ all = false, ...options }: RunsOptions & { readonly all?: boolean } = {}) {
  const runs = (await outlineRuns(runsFolderOf(options))).map(listedRun);
  return all ? runs : runs.filter(({ partOf }) => partOf === null);
}

/**
 * Reads a recorded run by its id or the beginning of it.
 * @param runId null for the newest.
 * @throws RlmError `run-missing`, `journal-damaged`; `usage` when several ids begin with `runId`.
 */
export async function showRun(runId: string | null, options: RunsOptions = {}): Promise<DetailedRun> {
  const run = await findRun(runsFolderOf(options), runId);
  return detailedRun(await outlineRun(run), await readRun(run));
}

/**
 * Returns the record of a run as lines of a journal: the question, each call once, and the result if the run has ended.
 * @param runId null for the newest.
 * @param toText converts a record to JSON. The checksum of a line is computed from this JSON.
 * @throws RlmError as `showRun` does.
 */
export async function exportRun(runId: string | null, toText: (value: unknown) => string): Promise<string[]> {
  const run = await findRun(runsFolderOf({}), runId);
  const [{ isEnded, end }, content] = [await outlineRun(run), await readRun(run)];
  const calls = new Map(content.calls.map((call) => [callKey(call), call]));
  const records: JournalRecord[] = [content.run, ...calls.values(), ...(isEnded && end ? [end] : [])];
  return records.map((record) => encodeRecord(record, toText));
}

function searchedLines({ run, end }: RunOutline) {
  type Place = 'question' | 'answer' | 'document';
  const linesIn = (where: Place, text: string) => text.split('\n').map((line) => ({ in: where, line }));
  return [
    ...linesIn('question', run?.task ?? ''),
    ...linesIn('answer', end?.result.answer ?? ''),
    ...(run?.documents ?? []).flatMap(({ name }) => linesIn('document', name)),
  ];
}

/**
 * Returns the line that contains the most `words`, among the lines of a run's question, answer and document names.
 * Returns null if one of the words is in none of these lines. Ignores case.
 * @param words in lower case, each once.
 */
export function matchRun(outline: RunOutline, words: readonly string[]) {
  const missing = new Set(words);
  let best: ReturnType<typeof searchedLines>[number] | null = null;
  let most = 0;
  for (const candidate of searchedLines(outline)) {
    const line = candidate.line.toLowerCase();
    const found = words.filter((word) => line.includes(word));
    for (const word of found) missing.delete(word);
    if (found.length > most) [best, most] = [candidate, found.length];
  }
  return missing.size === 0 ? best : null;
}

export const searchedWords = (text: string): string[] => [...new Set(text.toLowerCase().match(/\S+/g))];

/**
 * Finds recorded runs with all words of a text in their question, answer or document names, newest first.
 * @throws RlmError `usage` if the text has no word, `run-missing` if runs cannot be read.
 */
export async function searchRuns(text: string, options: RunsOptions = {}) {
  const words = searchedWords(text);
  if (words.length === 0) throw new RlmError('usage', 'there are no words to search for', { hint: 'Give words.' });
  return (await outlineRuns(runsFolderOf(options))).flatMap((outline) => {
    const match = matchRun(outline, words);
    return match === null ? [] : [{ ...listedRun(outline), match }];
  });
}

async function namedRuns(runs: string, runIds: readonly string[]): Promise<KeptRun[]> {
  const byId = new Map<string, KeptRun>();
  const errors: RlmError[] = [];
  for (const runId of runIds)
    await findRun(runs, runId).then(
      (run) => byId.set(run.id, run),
      (error) => errors.push(error),
    );
  const [first] = errors;
  if (first === undefined) return [...byId.values()];
  const message = errors.map((error) => error.message).join('; ');
  throw new RlmError(first.code, message, { hint: `${first.hint} Nothing was removed.` });
}

/**
 * Removes recorded runs. Removes none when one is missing or busy.
 * @param runIds ids or beginnings of ids.
 * @returns the number of removed runs.
 * @throws RlmError `run-missing`, `run-busy`; `usage` when several ids begin with one of `runIds`; `output-unwritable`
 *   when a folder cannot be removed. The runs before that folder have then already been removed.
 */
export async function removeRuns(runIds: readonly string[], options: RunsOptions = {}): Promise<number> {
  const named = await namedRuns(runsFolderOf(options), runIds);
  await removeAll(named);
  return named.length;
}

/** Returns runs older than `ageMs`. Omits runs in progress, unreadable folders, and folders whose name is no run id. */
async function oldRuns(folder: string, ageMs: number) {
  const before = Date.now() - ageMs;
  const old = await mapConcurrent(await keptRuns(folder), 16, new AbortController().signal, async (run) => {
    try {
      const isOld = isOurs(run) && (await lastChange(run)) < before && !isRunning(run);
      return isOld ? { ...run, bytes: await runBytes(run) } : null;
    } catch {
      return null;
    }
  });
  return old.filter((run) => run !== null);
}

async function removeOld<Old extends KeptRun>(old: readonly Old[]): Promise<Old[]> {
  const removed: Old[] = [];
  for (const run of old) {
    try {
      await removeAll([run]);
      removed.push(run);
    } catch (error) {
      if (!(error instanceof RlmError && error.code === 'run-busy')) throw error;
    }
  }
  return removed;
}

/** Which runs to remove. */
export interface PruneOptions extends RunsOptions {
  /** Minimum time since the last record of a run, in ms. */
  readonly olderThanMs: number;
  /** Whether only to list the runs, and not to remove them; default: no. */
  readonly dryRun?: boolean;
}

/**
 * Removes old runs and evaluations, except those that a process uses.
 * @returns the ids that were removed (or would be, in a dry run), newest first, and their size on the disk.
 * @throws RlmError `run-missing` when the folder of runs or of evaluations cannot be read, `output-unwritable`.
 */
export async function pruneRuns({ olderThanMs, dryRun = false, ...options }: PruneOptions) {
  const state = stateFolderOf(options);
  const old = await oldRuns(runsFolder(state), olderThanMs);
  const oldEvaluations = await oldRuns(evaluationsFolder(state), olderThanMs);
  const runs = dryRun ? old : await removeOld(old);
  const evaluations = dryRun ? oldEvaluations : await removeOld(oldEvaluations);
  return {
    runs: runs.map(({ id }) => id),
    evaluations: evaluations.map(({ id }) => id),
    bytes: [...runs, ...evaluations].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
