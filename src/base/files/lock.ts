import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RlmError, unwritable } from '../../errors.ts';
import { readOwnTextIfAny } from './own-file.ts';

/** The process that holds a folder's lock. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, to distinguish it from a later process with the same pid. Null without /proc. */
  readonly started: string | null;
}

export interface Lock {
  release(): void;
}

const lockName = /^lock\.(\d+)$/;

/** Reads the state and start of a process (proc(5): stat). Null if the system is not Linux or the process is gone. */
function statOf(pid: number): { readonly isDead: boolean; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A killed process keeps its pid until its parent waits for it, which never happens in a container without init.
    return { isDead: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function isRunning({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = statOf(pid);
  return stat === null || (!stat.isDead && (started === null || started === stat.started));
}

/** Reads a lock file. Returns null if it is empty (a released lock) or cut off (after a power cut). */
function parse(content: string): Holder | null {
  try {
    return JSON.parse(content) as Holder;
  } catch {
    return null;
  }
}

/** Finds the newest lock of a folder. `number` is 0 if there is none; `holder` is null if the lock is free. */
function newest(folder: string): Readonly<{ numbers: number[]; number: number; holder: Holder | null }> {
  const numbers = readdirSync(folder).flatMap((name) => lockName.exec(name)?.slice(1).map(Number) ?? []);
  const number = numbers.reduce((most, one) => Math.max(most, one), 0);
  if (number === 0) return { numbers, number, holder: null };
  const path = join(folder, `lock.${number}`);
  // Later holders may have removed the file by now.
  const content = readOwnTextIfAny(path, () => new RlmError('output-unwritable', `${path} cannot be read`));
  return content === null ? newest(folder) : { numbers, number, holder: parse(content) };
}

/** Creates a file with its content in one step. Returns false if the path exists. */
function createWhole(folder: string, path: string, content: string): boolean {
  const draft = join(folder, `lock-draft.${process.pid}.${randomBytes(4).toString('hex')}`);
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function createRelease(path: string): Lock {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        truncateSync(path);
      } catch {
        // The folder was removed or is no longer writable: the lock ends with this process.
      }
    },
  };
}

function take(folder: string): Lock | Holder {
  const { numbers, number, holder } = newest(folder);
  if (holder !== null && isRunning(holder)) return holder;
  const mine: Holder = { pid: process.pid, host: hostname(), started: statOf(process.pid)?.started ?? null };
  const path = join(folder, `lock.${number + 1}`);
  // If another process was faster, it holds the lock, or has released it already.
  if (!createWhole(folder, path, JSON.stringify(mine))) return take(folder);
  const isNewest = newest(folder).number === number + 1;
  for (const one of isNewest ? numbers : [number + 1]) rmSync(join(folder, `lock.${one}`), { force: true });
  return isNewest ? createRelease(path) : take(folder);
}

/**
 * Locks a folder for this process, or returns the process that holds the lock. A process takes the lock by creating
 * the file with the next number, which only one process can do.
 * @throws RlmError `output-unwritable` if the folder cannot be written; `too-many-files`.
 */
export function takeLock(folder: string): Lock | Holder {
  try {
    return take(folder);
  } catch (error) {
    const hint = 'Make it writable, or name another state folder with RLM_HOME.';
    throw unwritable(`the folder ${folder}`, error, hint);
  }
}

/**
 * Locks a folder for this process. `work`: what the holder of the lock does, such as `working on run 7`.
 * @throws RlmError `run-busy` or `index-busy` if another process holds the lock; the errors of `takeLock`.
 */
export function holdLock(folder: string, work: string, code: 'run-busy' | 'index-busy' = 'run-busy'): Lock {
  const lock = takeLock(folder);
  if ('release' in lock) return lock;
  const { pid, host } = lock;
  const elsewhere = host === hostname() ? '' : ` If process ${pid} no longer runs there, remove ${folder}/lock.*`;
  throw new RlmError(code, `process ${pid} on ${host} is ${work}`, {
    hint: `Wait for the process, or end it first.${elsewhere}`,
  });
}

/** Returns the running process that holds a folder's lock; null if there is none. */
export function holderOf(folder: string): Holder | null {
  const { holder } = newest(folder);
  return holder !== null && isRunning(holder) ? holder : null;
}
