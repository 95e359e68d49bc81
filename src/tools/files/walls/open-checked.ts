import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { isAbsolute } from 'node:path';
import { identityOf } from './roots.ts';

/** A file or folder that is open, and where it really lies. */
export interface Checked {
  readonly descriptor: number;
  readonly stats: { readonly dev: bigint; readonly ino: bigint; readonly size: bigint };
  /** Of what was opened, not of what was asked for: a link in the path may have been changed meanwhile. */
  readonly real: string;
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0, O_DIRECTORY = 0 } = constants;

/**
 * On macOS the system itself refuses a path in which any folder is a link, in the one step that opens it, so that no
 * swap can lead elsewhere however it is timed. `O_NOFOLLOW_ANY` of <sys/fcntl.h>, for which Node has no name; systems
 * that do not know it take no notice of it.
 */
const noLinkAnywhere = process.platform === 'darwin' ? 0x2000_0000 : 0;

/**
 * Opens a path that has no links and is known to be no device (opening one may do something to it), without waiting for
 * a writer and without following a link that has come to stand at its end. The caller closes it.
 * @returns null when it is no regular file (or no folder, where one is wanted), or where it lies cannot be told.
 * @throws the system's error.
 */
export function openChecked(path: string, wanted: 'file' | 'folder'): Checked | null {
  const isWanted = (stats: BigIntStats) => (wanted === 'file' ? stats.isFile() : stats.isDirectory());
  const flags =
    O_RDONLY | O_NOFOLLOW | noLinkAnywhere | O_NONBLOCK | O_NOCTTY | (wanted === 'folder' ? O_DIRECTORY : 0);
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const real = isWanted(stats) ? placeOf(descriptor, path, stats) : null;
    if (real !== null) return { descriptor, stats, real };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return null;
}

/** The system's own link to an open file. */
export const linkTo = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

export const hasLinks = process.platform === 'linux';

/** Where an open file lies; null when it was removed, its name is no text, or something else stands at its path now. */
function placeOf(descriptor: number, path: string, stats: BigIntStats): string | null {
  if (stats.nlink === 0n) return null;
  const real = hasLinks ? readlinkSync(linkTo(descriptor)) : samePlace(path, stats);
  return real === null || !isAbsolute(real) || real.includes('\uFFFD') ? null : real;
}

/**
 * Where the system tells no place of an open file: that of the path, if it leads to the same file, now and a moment
 * later. Each look goes by the path, and Node opens nothing relative to an open folder: who swaps a folder for a link
 * and back between every two of them gets through, but for macOS. More looks, at each folder on the way or at what it
 * was before, would ask for more swaps and not close it.
 */
function samePlace(path: string, stats: BigIntStats): string | null {
  const real = realpathSync.native(path);
  const isSame = identityOf(lstatSync(real, { bigint: true })) === identityOf(stats);
  return isSame && realpathSync.native(path) === real ? real : null;
}
