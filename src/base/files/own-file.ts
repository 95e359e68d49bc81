/** Reads files without blocking, because a configuration file of a cloned folder may link to a pipe or a device. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { RlmError, tooManyFiles } from '../../errors.ts';

/** Largest size of a configuration file, role, prompt or ignore file, in bytes. */
const writtenBytes = 4 * 1024 * 1024;

/** Largest size of a file of the program's state, in bytes. */
export const stateBytes = 1024 * 1024 * 1024;

/** Thrown for a pipe or a device, and for a file that is too large. `code` is the reason in words. */
export class UnfitFile extends Error {
  readonly code: string;

  constructor(why: string) {
    super(why);
    this.code = why;
  }
}

const tooLarge = (maxBytes: number) => new UnfitFile(`it is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
const eisdir = () => Object.assign(new Error('EISDIR: illegal operation on a directory, read'), { code: 'EISDIR' });

function open(path: string | Buffer): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    throw tooManyFiles(error) ?? error;
  }
}

/**
 * Opens a regular file for reading without waiting for a writer. Follows links. The caller closes the file.
 * @throws UnfitFile for a pipe or a device; the system's error, `EISDIR` for a folder; RlmError `too-many-files`.
 */
export function openOwnFile(path: string | Buffer): number {
  const descriptor = open(path);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw eisdir();
    if (!stats.isFile()) throw new UnfitFile('it is not a regular file');
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Returns the first bytes of a regular file, at most `length`. Throws as `openOwnFile` does. */
export function readOwnHead(path: string, length: number): Buffer {
  const descriptor = openOwnFile(path);
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(descriptor, head, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the end of a file. Checks the size while reading, because the file may grow. */
function readBounded(descriptor: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let total = 0; total <= maxBytes; ) {
    const part = Buffer.allocUnsafe(Math.min(1024 * 1024, maxBytes + 1 - total));
    const bytesRead = readSync(descriptor, part, 0, part.length, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, bytesRead));
    total += bytesRead;
  }
  throw tooLarge(maxBytes);
}

/** Returns the bytes of a regular file. Throws UnfitFile above `maxBytes` bytes, and throws as `openOwnFile` does. */
export function readOwnFile(path: string | Buffer, maxBytes = writtenBytes): Buffer {
  const descriptor = openOwnFile(path);
  try {
    if (fstatSync(descriptor).size > maxBytes) throw tooLarge(maxBytes);
    return readBounded(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

export const readOwnText = (path: string | Buffer, maxBytes?: number): string =>
  readOwnFile(path, maxBytes).toString('utf8');

/**
 * Returns the text of a file; null if it does not exist.
 * @param unreadable creates the error for a file that cannot be read. `why` is the system's code, or a reason in words.
 * @throws the error of `unreadable`; RlmError `too-many-files`.
 */
export function readOwnTextIfAny(path: string, unreadable: (why: string) => RlmError, maxBytes?: number) {
  try {
    return readOwnText(path, maxBytes);
  } catch (error) {
    if (error instanceof RlmError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(code ?? message);
  }
}
