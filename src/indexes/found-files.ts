import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { RlmError } from '../errors.ts';
import { type FoundInputs, findInputs } from '../inputs/find/find-inputs.ts';
import type { Input } from '../inputs/find/located.ts';
import { type FilePath, isWithin } from '../inputs/find/paths.ts';
import { isUrl, shownUrl } from '../inputs/urls.ts';

/** Where an index looks for files. */
export interface Places {
  readonly cwd: string;
  /** Those it was made of: one that is gone is a warning. */
  readonly known: readonly string[];
  /** Those that are new: one that is not there is an error. */
  readonly added: readonly string[];
  /** The folder of all indexes, in which nothing is read. */
  readonly indexes: string;
}

/** What tells a file from others in a manifest. */
export const keyOf = ({ path }: Input): string =>
  typeof path === 'string' ? path : `latin1:${path.toString('latin1')}`;

/** So soon after a change, another one may leave the same time stamp. */
const restMs = 2_000;

/** What changes with a file's text; null where nothing tells. */
export function stampOf({ path }: Input): string | null {
  const stats = statOrNull(path);
  if (stats === null) return null;
  const { size, mtimeMs, ctimeMs } = stats;
  const isFresh = Math.max(mtimeMs, ctimeMs) > Date.now() - restMs;
  return isFresh ? null : `${size} ${mtimeMs} ${ctimeMs}`;
}

/** A file that is gone, or refused, says so when it is read. */
function statOrNull(path: FilePath): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

async function isThere(path: string, cwd: string, signal: AbortSignal): Promise<boolean> {
  try {
    await findInputs({ paths: [path], cwd, signal });
    return true;
  } catch (error) {
    if (error instanceof RlmError && error.code === 'input-missing') return false;
    throw error;
  }
}

async function findKnown({ cwd, known, added }: Places, signal: AbortSignal) {
  const there = await Promise.all(known.map((path) => isThere(path, cwd, signal)));
  const left = known.filter((_, index) => there[index]);
  const gone = known.filter((path) => !left.includes(path));
  const found = await findInputs({ paths: [...left, ...added], cwd, signal });
  const warnings = gone.map((path) => `there is nothing at '${path}' any more`);
  return { ...found, warnings: [...found.warnings, ...warnings] };
}

/** The same, and faster, where every path is there. */
async function findAll(places: Places, signal: AbortSignal): Promise<FoundInputs> {
  const { cwd, known, added } = places;
  try {
    return await findInputs({ paths: [...known, ...added], cwd, signal });
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'input-missing') throw error;
    return findKnown(places, signal);
  }
}

const noFile = (name: string) =>
  new RlmError('input-unreadable', `'${name}' is no file, and an index is made of files`, {
    hint: 'Save its text to a file first.',
  });

/**
 * The files of an index as they are now.
 * @throws RlmError as `findInputs` does for added paths, and `input-unreadable` for a pipe, a device or an address.
 */
export async function findFiles(places: Places, signal: AbortSignal): Promise<FoundInputs> {
  const page = places.added.find(isUrl);
  if (page !== undefined) throw noFile(shownUrl(page));
  const found = await findAll(places, signal);
  const other = found.inputs.find(({ kind }) => kind !== 'file');
  if (other) throw noFile(other.name);
  const inputs = found.inputs.filter(({ path }) => !isWithin(resolve(path.toString()), places.indexes));
  return { ...found, inputs };
}
