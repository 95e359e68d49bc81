import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RlmError } from '../../errors.ts';
import { readOwnText } from './own-file.ts';

/** Who works in a folder. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own count; tells it from a later process of the same number. */
  readonly started: string | null;
}

/** A lock that this process holds. */
export interface Lock {
  release(): void;
}

const lockName = /^lock\.(\d+)$/;

/** A process as Linux tells of it (proc(5), fields 3 and 22 of stat); null elsewhere and for one that is gone. */
function statOf(pid: number): { readonly isDead: boolean; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A killed process that nobody has waited for keeps its number, for ever in a container without an init.
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

/** Nobody holds a lock that is empty, as it is when released, or half there, as a power cut leaves it. */
function parse(content: string): Holder | null {
  try {
    return JSON.parse(content) as Holder;
  } catch {
    return null;
  }
}

/** The newest lock of a folder: its number, 0 when there is none, and who holds it; null when it is free. */
function newest(folder: string): { readonly number: number; readonly holder: Holder | null } {
  const numbers = readdirSync(folder).flatMap((name) => lockName.exec(name)?.[1] ?? []);
  const number = Math.max(0, ...numbers.map(Number));
  if (number === 0) return { number, holder: null };
  return { number, holder: parse(readOwnText(join(folder, `lock.${number}`))) };
}

/** Makes a file with its content in one step. Returns false when there is one of that name. */
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

/** Frees a lock that this process holds, once: later it may be somebody else's turn. */
function createRelease(path: string): Lock {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        truncateSync(path);
      } catch {
        // The folder was removed, or can no longer be written: the lock ends with this process.
      }
    },
  };
}

function take(folder: string): Lock | Holder {
  const { number, holder } = newest(folder);
  if (holder !== null && isRunning(holder)) return holder;
  const mine: Holder = { pid: process.pid, host: hostname(), started: statOf(process.pid)?.started ?? null };
  const path = join(folder, `lock.${number + 1}`);
  if (createWhole(folder, path, JSON.stringify(mine))) return createRelease(path);
  return take(folder); // Another was faster: it holds the lock, or is done already.
}

/**
 * Takes a folder for this process, or tells who has it. Locks are numbered and never removed, only emptied: of two
 * processes that find the last one free, or its holder dead, one gets the next number and the other sees it.
 * @throws RlmError `output-unwritable` when the folder cannot be written.
 */
export function takeLock(folder: string): Lock | Holder {
  try {
    return take(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError('output-unwritable', `the folder ${folder} cannot be written (${code})`, {
      hint: 'Make it writable, or name another state folder with RLM_HOME.',
    });
  }
}

/** Who works in a folder now; null when nobody does. */
export function holderOf(folder: string): Holder | null {
  const { holder } = newest(folder);
  return holder !== null && isRunning(holder) ? holder : null;
}
