import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../config/nearest.ts';
import { RlmError } from '../errors.ts';
import { holderOf, type Lock, takeLock } from './lock.ts';
import { type JournalContent, readJournal } from './read-journal.ts';
import { journalName, type TakenRun } from './recorder.ts';

/** A recorded run. */
export interface KeptRun {
  readonly id: string;
  readonly folder: string;
}

/** Every recorded run, the newest first; none when nothing was recorded yet. */
export async function listRuns(runs: string): Promise<KeptRun[]> {
  const entries = await readdir(runs, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new RlmError('run-missing', `the runs in ${runs} cannot be read (${error.code})`, {
      hint: 'Make the folder readable, or name another with RLM_HOME.',
    });
  });
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return ids.sort((a, b) => (a < b ? 1 : -1)).map((id) => ({ id, folder: join(runs, id) }));
}

function missing(wanted: string, ids: readonly string[]): RlmError {
  const near = nearest(wanted, ids);
  const hint = near ? `Did you mean ${near}?` : 'rlm runs list shows those that are there.';
  return new RlmError('run-missing', `there is no recorded run "${wanted}"`, { hint });
}

/**
 * A run by its id or the beginning of one; the newest when `wanted` is null.
 * @throws RlmError `run-missing`, `usage` when several begin so.
 */
export async function findRun(runs: string, wanted: string | null): Promise<KeptRun> {
  const all = await listRuns(runs);
  const matching = wanted === null ? all.slice(0, 1) : all.filter(({ id }) => id.startsWith(wanted));
  const exact = matching.find(({ id }) => id === wanted) ?? (matching.length === 1 ? matching[0] : undefined);
  if (exact) return exact;
  if (wanted === null) {
    throw new RlmError('run-missing', 'no run is recorded', { hint: 'rlm ask "…" records one, unless --no-journal.' });
  }
  if (matching.length === 0)
    throw missing(
      wanted,
      all.map(({ id }) => id),
    );
  const shown = matching.slice(0, 5).map(({ id }) => id);
  throw new RlmError('usage', `${matching.length} runs begin with "${wanted}"`, {
    hint: `Such as ${shown.join(', ')}.`,
  });
}

/** What a run's journal holds; damaged records are left out. */
export const readRun = ({ folder }: KeptRun): Promise<JournalContent> => readJournal(join(folder, journalName), true);

function busy(id: string, pid: number, host: string): RlmError {
  return new RlmError('run-busy', `process ${pid} on ${host} is working on run ${id}`, {
    hint: 'Wait for it, or end it first.',
  });
}

/** Takes a run for this process. Throws `run-busy` when another has it. */
function takeFolder({ id, folder }: KeptRun): Lock {
  const lock = takeLock(folder);
  if ('release' in lock) return lock;
  throw busy(id, lock.pid, lock.host);
}

/**
 * Takes a run up again: no other process can, until it is released.
 * @param skipsDamage whether damaged records are left out instead of refused.
 * @throws RlmError `run-busy`, `run-missing`, `journal-damaged`.
 */
export async function takeRun(
  run: KeptRun,
  skipsDamage: boolean,
): Promise<{ readonly taken: TakenRun; readonly content: JournalContent }> {
  const lock = takeFolder(run);
  try {
    const content = await readJournal(join(run.folder, journalName), skipsDamage);
    const { calls, usedMs, length } = content;
    return { content, taken: { folder: run.folder, lock, calls, usedMs, length } };
  } catch (error) {
    lock.release();
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new RlmError('run-missing', `run ${run.id} ended before anything was recorded`, {
      hint: 'Ask the question again.',
    });
  }
}

/** Whether a process works on the run now. */
export const isRunning = ({ folder }: KeptRun): boolean => holderOf(folder) !== null;

/** Removes a run. Throws `run-busy` when a process works on it. */
export async function removeRun(run: KeptRun): Promise<void> {
  takeFolder(run);
  await rm(run.folder, { recursive: true, force: true });
}

/** When something was last recorded, in ms since 1970. */
export async function lastChange({ folder }: KeptRun): Promise<number> {
  const found = await stat(join(folder, journalName)).catch(() => stat(folder));
  return found.mtimeMs;
}
