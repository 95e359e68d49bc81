import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { holderOf, holdLock, type Lock } from '../base/files/lock.ts';
import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';
import { nearest } from '../base/nearest.ts';
import { RlmError, unwritable } from '../errors.ts';
import { decodeRecord, type JournalContent, readJournal } from './journal.ts';
import { journalName, type TakenRun } from './recorder.ts';

export interface KeptRun {
  readonly id: string;
  readonly folder: string;
}

/** Matches the name of a run, such as `20261121T010842-3f9a2c`. */
const idForm = /^\d{8}T\d{6}-[0-9a-f]{6}$/;

function byAge({ id: a }: KeptRun, { id: b }: KeptRun): number {
  const foreign = Number(!idForm.test(a)) - Number(!idForm.test(b));
  return foreign || (a < b ? 1 : -1);
}

/** Lists the folders in `runs`: newest run first, other folders last. Throws `run-missing` if `runs` is unreadable. */
export async function listRuns(runs: string): Promise<KeptRun[]> {
  const entries = await readdir(runs, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new RlmError('run-missing', `the runs in ${runs} cannot be read (${error.code})`, {
      hint: 'Make the folder readable, or name another with RLM_HOME.',
    });
  });
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return ids.map((id) => ({ id, folder: join(runs, id) })).sort(byAge);
}

function missing(wanted: string, ids: readonly string[]): RlmError {
  const near = nearest(wanted, ids);
  const hint = near ? `Did you mean ${near}?` : 'rlm runs list shows the recorded runs.';
  return new RlmError('run-missing', `there is no recorded run "${wanted}"`, { hint });
}

/** Whether a run is part of an evaluation or of `rlm checks`. False if its record cannot be read. */
function isPart({ folder }: KeptRun): boolean {
  try {
    const bytes = readOwnFile(join(folder, journalName), stateBytes);
    const first = decodeRecord(bytes.toString('utf8', 0, bytes.indexOf(0x0a)));
    return first?.type === 'run' && first.partOf !== undefined;
  } catch {
    return false;
  }
}

/** Finds a run by the beginning of its id; for null, the newest run without `partOf`. Throws `run-missing`, `usage`. */
export async function findRun(runs: string, wanted: string | null): Promise<KeptRun> {
  const all = await listRuns(runs);
  if (wanted === null) {
    const newest = all.find((run) => isOurs(run) && !isPart(run));
    if (newest !== undefined) return newest;
    throw new RlmError('run-missing', 'no run is recorded', {
      hint: 'rlm ask "…" records a run, except with --no-journal.',
    });
  }
  // An empty id matches no run: it probably comes from an empty variable of a script.
  const matching = all.filter(({ id }) => wanted !== '' && id.startsWith(wanted));
  const exact = matching.find(({ id }) => id === wanted) ?? (matching.length === 1 ? matching[0] : undefined);
  if (exact) return exact;
  const ids = all.map(({ id }) => id);
  if (matching.length === 0) throw missing(wanted, ids);
  const shown = matching.slice(0, 5).map(({ id }) => id);
  throw new RlmError('usage', `the ids of ${matching.length} runs begin with "${wanted}"`, {
    hint: `For example: ${shown.join(', ')}.`,
  });
}

/** Reads the journal of a run, without damaged records by default. Throws RlmError `run-missing`, `journal-damaged`. */
export async function readRun({ id, folder }: KeptRun, skipsDamage = true): Promise<JournalContent> {
  const path = join(folder, journalName);
  try {
    return await readJournal(path, skipsDamage);
  } catch (error) {
    if (error instanceof RlmError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const [message, hint] =
      code === 'ENOENT'
        ? [`run ${id} ended before anything was recorded`, 'Ask the question again.']
        : [`the journal of run ${id} cannot be read (${code})`, `Make ${path} readable.`];
    throw new RlmError('run-missing', message, { hint });
  }
}

const takeFolder = ({ id, folder }: KeptRun): Lock => holdLock(folder, `working on run ${id}`);

/** Locks a run to resume it. Throws `run-busy`, `run-missing`, `journal-damaged`. */
export async function takeRun(run: KeptRun, skipsDamage: boolean) {
  const lock = takeFolder(run);
  try {
    const content = await readRun(run, skipsDamage);
    const { calls, lost, replied, usedMs, length } = content;
    return { content, taken: { folder: run.folder, lock, calls, lost, replied, usedMs, length } satisfies TakenRun };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export const isRunning = ({ folder }: KeptRun): boolean => holderOf(folder) !== null;

/** Whether the name of a folder has the form of a run's id. */
export const isOurs = ({ id }: KeptRun): boolean => idForm.test(id);

/**
 * Removes runs, or none if one of them is busy or is not named like a run.
 * @throws RlmError `run-busy`, `run-missing`; `output-unwritable` if a run cannot be removed. In this case, the runs
 *   before it are already removed.
 */
export async function removeRuns(runs: readonly KeptRun[]): Promise<void> {
  const locks: Lock[] = [];
  let current: KeptRun | undefined;
  try {
    const foreign = runs.find((run) => !isOurs(run));
    if (foreign !== undefined)
      throw new RlmError('run-missing', `"${foreign.id}" is a folder among the runs, but not a run`, {
        hint: `If you do not need it, remove ${foreign.folder} yourself.`,
      });
    for (current of runs) locks.push(takeFolder(current));
    for (current of runs) await rm(current.folder, { recursive: true, force: true });
  } catch (error) {
    if (current === undefined) throw error;
    const hint = `Make ${current.folder} and its parent folder writable.`;
    throw unwritable(`run ${current.id}`, error, hint, 'removed');
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Returns the time of the last record, in ms since 1970. */
export async function lastChange({ folder }: KeptRun): Promise<number> {
  const found = await stat(join(folder, journalName)).catch(() => stat(folder));
  return found.mtimeMs;
}

export async function runBytes({ folder }: KeptRun): Promise<number> {
  const found = (await readdir(folder)).map((name) => stat(join(folder, name)).catch(() => null));
  return (await Promise.all(found)).reduce((total, file) => total + (file?.size ?? 0), 0);
}

function isHeld(run: KeptRun): boolean {
  try {
    return isRunning(run);
  } catch {
    return false;
  }
}

/** Reads the outline of a run. Never rejects: `damage` says why a record cannot be used. */
export async function outlineRun(kept: KeptRun) {
  // The lock is read before the journal. In the other order, a run that ends in between would seem to be stopped.
  const held = isHeld(kept);
  const read = await readRun(kept).catch((error: Error) => error.message);
  const damage = typeof read === 'string' ? read : null;
  const { run = null, first = null, calls = [], end = null, isEnded = false } = typeof read === 'string' ? {} : read;
  const ended = isEnded ? end!.result : null;
  const status = held ? 'running' : damage !== null ? 'damaged' : (ended?.status ?? 'stopped');
  return {
    ...kept,
    /** `running` (in a process), `stopped` (without a result), `damaged` (unusable), or the status of the result. */
    status,
    /** When the question was first asked; null if the record is unusable. */
    at: first?.at ?? null,
    partOf: first?.partOf ?? null,
    run,
    calls: calls.length,
    end,
    /** Whether `end` is the last record. */
    isEnded,
    resumable: status === 'stopped' || (!held && ended?.resumable === true),
    damage,
  };
}

export type RunOutline = Readonly<Awaited<ReturnType<typeof outlineRun>>>;

/** Reads the outlines of the folders that `listRuns` lists, in the same order. */
export async function outlineRuns(runs: string): Promise<RunOutline[]> {
  return mapConcurrent(await listRuns(runs), 16, new AbortController().signal, outlineRun);
}
