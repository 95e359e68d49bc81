import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without links, also of a file that is still to be made. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realTarget(dirname(path)), basename(path));
  }
}

/**
 * Whether two absolute paths are one file, there already or not. What is no regular file, as /dev/null, may be
 * shared.
 */
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
