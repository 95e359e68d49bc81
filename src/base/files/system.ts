import { mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realTarget(dirname(path)), basename(path));
  }
}

/** Returns undefined if the path does not exist or cannot be examined. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether two absolute paths name the same file, which need not exist. False for devices, such as /dev/null. */
export function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map(statsOf);
  if (first === undefined || second === undefined) return realTarget(a) === realTarget(b);
  return first.isFile() && first.ino === second.ino && first.dev === second.dev;
}

/** Returns the code of an error, such as the system's `ENOENT` or `EACCES`; empty for an error without a code. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Returns the system's message without the call and the path: `EACCES: permission denied`. */
export function systemDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(', ')[0] ?? message;
}

function make(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && statSync(path).isDirectory()) return false;
    throw error;
  }
}

/**
 * Makes a folder and its missing parents; by default only the user can access them. Node's recursive `mkdir` is not
 * used, because it never returns for a path in /proc.
 * @returns the topmost folder that was made; null if all existed.
 * @throws the system's error.
 */
export function makeFolder(path: string, mode = 0o700): string | null {
  try {
    return make(path, mode) ? path : null;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const above = makeFolder(dirname(path), mode);
  return make(path, mode) ? (above ?? path) : above;
}
