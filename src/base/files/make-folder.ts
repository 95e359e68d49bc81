import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './system.ts';

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
 * to do that never ends where the system says of a folder that is there that there is none, as /proc does.
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
