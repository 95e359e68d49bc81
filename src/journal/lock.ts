import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Who works on a run. */
interface Holder {
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

/** The start of a process as Linux tells it (proc(5), field 22 of stat); null elsewhere and for one that is gone. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
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
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** The newest lock of a run's folder: its number, 0 when there is none, and who made it. */
function newest(folder: string): { number: number; holder: Holder | null } {
  const numbers = readdirSync(folder).flatMap((name) => lockName.exec(name)?.[1] ?? []);
  const number = Math.max(0, ...numbers.map(Number));
  if (number === 0) return { number, holder: null };
  try {
    return { number, holder: JSON.parse(readFileSync(join(folder, `lock.${number}`), 'utf8')) as Holder };
  } catch {
    return { number, holder: null }; // Released in this very moment.
  }
}

/**
 * Takes a run for this process, or tells who has it. Locks are numbered, and each is made with its content in one step,
 * so of two processes that find the last holder dead one gets the next number and the other sees it.
 */
export function takeLock(folder: string): Lock | Holder {
  const { number, holder } = newest(folder);
  if (holder !== null && isRunning(holder)) return holder;
  const mine: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const draft = join(folder, `lock-draft.${process.pid}.${randomBytes(4).toString('hex')}`);
  const path = join(folder, `lock.${number + 1}`);
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return newest(folder).holder ?? mine;
  } finally {
    rmSync(draft, { force: true });
  }
  let isHeld = true;
  return {
    release() {
      if (isHeld) rmSync(path, { force: true }); // Once: the next holder's lock may have the same name.
      isHeld = false;
    },
  };
}

/** Who works on the run now; null when nobody does. */
export function holderOf(folder: string): Holder | null {
  const { holder } = newest(folder);
  return holder !== null && isRunning(holder) ? holder : null;
}
