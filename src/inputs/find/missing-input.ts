import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import { RlmError } from '../../errors.ts';
import { displayName, joinName } from './paths.ts';

/** Returns the error for a path that does not exist. Its hint names the most similar path that exists, if any. */
export function missingInput(given: string, cwd: string): RlmError {
  const path = resolve(cwd, given);
  const target = linkTarget(path);
  if (target !== null) {
    const message = `'${given}' is a symbolic link to '${target}', which does not exist`;
    return new RlmError('input-missing', message, { hint: 'Correct the link, or leave it out.' });
  }
  const near = nearestPath(path, cwd);
  const hint = near === null ? notAPathHint(cwd) : `Did you mean '${near}'?`;
  return new RlmError('input-missing', `there is no file or folder '${given}'`, { hint });
}

export function unmatchedGlob(given: string, cwd: string, leftOut: number): RlmError {
  const why = leftOut === 0 ? '' : `; ${leftOut} ignored or hidden files and folders were left out`;
  return new RlmError('input-missing', `no file matches '${given}'${why}`, { hint: notAPathHint(cwd) });
}

function notAPathHint(cwd: string): string {
  return `Paths are relative to ${cwd}. If this is a part of the question, put the whole question in quotes.`;
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** Replaces the first missing part of the path by the most similar name. Returns null if no name is similar. */
function nearestPath(path: string, cwd: string): string | null {
  const folder = dirname(path);
  const names = listNames(folder);
  if (names === null) return folder === path ? null : nearestPath(folder, cwd);
  const name = nearest(basename(path), names);
  return name === null ? null : joinName(displayName(folder, cwd), name);
}

function listNames(folder: string): string[] | null {
  try {
    return readdirSync(folder).slice(0, 10_000);
  } catch {
    return null;
  }
}
