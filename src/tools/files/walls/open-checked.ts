import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileIdentity } from './roots.ts';

/** An open file or folder, and its real path. */
export interface Checked {
  readonly descriptor: number;
  readonly stats: { readonly dev: bigint; readonly ino: bigint; readonly size: bigint };
  /** Real path of the opened file. It differs from the requested path if a folder in that path has become a link. */
  readonly real: string;
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0, O_DIRECTORY = 0 } = constants;

/**
 * `O_NOFOLLOW_ANY` of <sys/fcntl.h>, for which Node has no name. With this flag, macOS opens no path that contains a
 * link. If a link has just replaced a folder, opening fails. Other systems lack the flag.
 */
const noLinkAnywhere = process.platform === 'darwin' ? 0x2000_0000 : 0;

/**
 * Opens a file or folder, which the caller closes. Does not wait for the writer of a pipe. Follows no link that has
 * replaced the file.
 * @param path has no links and leads to no device: opening a device may have effects.
 * @returns null if the opened file is not of the wanted kind, or if its real path cannot be determined.
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

/** Returns the path through which Linux reaches the open file or folder of a descriptor. */
export const fdPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

export const hasFdPaths = process.platform === 'linux';

/** Returns the real path of an open file; null if the file was removed or replaced, or its name is not UTF-8. */
function placeOf(descriptor: number, path: string, stats: BigIntStats): string | null {
  if (stats.nlink === 0n) return null;
  const real = hasFdPaths ? readlinkSync(fdPath(descriptor)) : samePlace(path, stats);
  return real === null || !isAbsolute(real) || real.includes('\uFFFD') ? null : real;
}

/**
 * Returns the real path of an open file; null if the path now leads elsewhere. Used on systems that do not report the
 * path of an open file. Between the checks, a folder may be replaced by a link and restored. macOS prevents this (see
 * `noLinkAnywhere`). Other systems cannot prevent it, because Node cannot open a path relative to an open folder.
 */
function samePlace(path: string, stats: BigIntStats): string | null {
  const real = realpathSync.native(path);
  const isSame = fileIdentity(lstatSync(real, { bigint: true })) === fileIdentity(stats);
  return isSame && realpathSync.native(path) === real ? real : null;
}

/** A regular file under a root, open for reading. */
export interface OpenFile {
  /** A path to the file, as the user would type it. */
  readonly name: string;
  /** Size of the file when it was opened, in bytes. */
  readonly bytes: number;
  /** Reads bytes (fewer at the end of the file), into `scratch` if they fit. Throws the system's error. */
  read(startByte: number, endByte: number, scratch?: Buffer): Buffer;
  close(): void;
}

/** Creates the reader of an opened and checked file. */
export const toOpenFile = ({ descriptor, stats }: Checked, name: string): OpenFile => ({
  name,
  bytes: Number(stats.size),
  read(startByte, endByte, scratch) {
    const length = Math.max(0, endByte - startByte);
    const isFitting = scratch !== undefined && scratch.length >= length;
    return fill(descriptor, startByte, isFitting ? scratch.subarray(0, length) : Buffer.allocUnsafe(length));
  },
  close: () => closeSync(descriptor),
});

function fill(descriptor: number, startByte: number, bytes: Buffer): Buffer {
  let filled = 0;
  for (let count = -1; count !== 0 && filled < bytes.length; filled += count)
    count = readSync(descriptor, bytes, filled, bytes.length - filled, startByte + filled);
  return bytes.subarray(0, filled);
}
