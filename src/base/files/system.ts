import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without links, also of a file that is still to be made. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realTarget(dirname(path)), basename(path));
  }
}

/** Whether two absolute paths are one file, there already or not. What is no regular file, as /dev/null, may be shared. */
export function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (first === undefined || second === undefined) return realTarget(a) === realTarget(b);
  return first.isFile() && first.ino === second.ino && first.dev === second.dev;
}

/** The system's error code (`ENOENT`, `EACCES` …), or an empty string when the error is none of the system's. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** What the system said, without the call and the path: `EACCES: permission denied`. */
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
 * Makes a folder, and those above it that are missing, for the user alone unless `mode` says otherwise. Node's own way
 * never ends in /proc, which denies that a folder is there.
 * @returns the topmost folder that was made; null where all were there.
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
