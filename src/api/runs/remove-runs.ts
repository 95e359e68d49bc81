import { evaluationsFolder, runsFolder } from '../../config/folders.ts';
import { RlmError } from '../../errors.ts';
import {
  findRun,
  isOurs,
  isRunning,
  type KeptRun,
  lastChange,
  listRuns,
  removeRuns as removeAll,
  runBytes,
} from '../../journal/runs.ts';
import { type RunsOptions, runsFolderOf, stateFolderOf } from './list-runs.ts';

/** Finds every named run. Throws one error about all names that are wrong. */
async function namedRuns(runs: string, runIds: readonly string[]): Promise<KeptRun[]> {
  const found = await Promise.allSettled(runIds.map((runId) => findRun(runs, runId)));
  const errors = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as RlmError] : []));
  const [first] = errors;
  if (first) {
    const message = errors.map((error) => error.message).join('; ');
    throw new RlmError(first.code, message, { hint: `${first.hint} Nothing was removed.` });
  }
  const byId = new Map(found.flatMap((one) => (one.status === 'fulfilled' ? [[one.value.id, one.value]] : [])));
  return [...byId.values()];
}

/**
 * Removes recorded runs. Removes none when one is missing or busy.
 * @param runIds ids or beginnings of ids.
 * @returns the number of removed runs.
 * @throws RlmError `run-missing`, `usage` when several ids begin with one of `runIds`, `run-busy`; `output-unwritable`
 *   when a folder cannot be removed: the runs before it are then gone.
 */
export async function removeRuns(runIds: readonly string[], options: RunsOptions = {}): Promise<number> {
  const named = await namedRuns(runsFolderOf(options), runIds);
  await removeAll(named);
  return named.length;
}

/** A run or an evaluation that is old enough to be removed. */
interface OldRun extends KeptRun {
  readonly bytes: number;
}

/** Measures an old run. Null when it is recent, busy, gone meanwhile, unreadable, or has not the name of a run. */
async function asOld(run: KeptRun, before: number): Promise<OldRun | null> {
  try {
    if (!isOurs(run) || (await lastChange(run)) >= before || isRunning(run)) return null;
    return { ...run, bytes: await runBytes(run) };
  } catch {
    return null;
  }
}

/** Lists the old runs of a folder: nothing was recorded in them for `ageMs`, and no process works on them. */
async function oldRuns(folder: string, ageMs: number): Promise<OldRun[]> {
  const before = Date.now() - ageMs;
  const old: OldRun[] = [];
  for (const run of await listRuns(folder)) {
    const found = await asOld(run, before);
    if (found !== null) old.push(found);
  }
  return old;
}

/** Removes runs one by one, except those that a process works on again. Returns the removed ones. */
async function removeOld(old: readonly OldRun[]): Promise<OldRun[]> {
  const removed: OldRun[] = [];
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

/** Which runs are removed. */
export interface PruneOptions extends RunsOptions {
  /** How long nothing was recorded in them, in ms. */
  readonly olderThanMs: number;
  /** Whether they are only listed, not removed; default: no. */
  readonly dryRun?: boolean;
}

/** The runs and evaluations that were removed, or that a dry run lists. */
export interface PrunedRuns {
  /** Ids, the newest first. */
  readonly runs: readonly string[];
  /** Ids of evaluations, the newest first. */
  readonly evaluations: readonly string[];
  /** Their size on the disk. */
  readonly bytes: number;
}

/**
 * Removes old runs and evaluations, except those that a process works on.
 * @throws RlmError `run-missing` when the folder of runs or of evaluations cannot be read, `output-unwritable`.
 */
export async function pruneRuns({ olderThanMs, dryRun = false, ...options }: PruneOptions): Promise<PrunedRuns> {
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
