import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemDetail } from '../../base/files/system.ts';
import { RlmError } from '../../errors.ts';

/** A growing sequence of bytes: in memory while it is short, else in a temporary file. */
export interface Spool {
  size(): number;
  /** Appends a copy of the bytes and returns its offset. Throws RlmError `no-space`. */
  append(bytes: Uint8Array): number;
  /**
   * Returns a view of the bytes in memory, or a copy of the bytes in the file. The copy is in `room`, if given. Do not
   * write to the result. Throws the system's error.
   */
  read(start: number, end: number, room?: Uint8Array): Buffer;
  truncate(size: number): void;
  close(): void;
}

export type StoredBytes = Pick<Spool, 'size' | 'read'>;

const spoolName = /^rlm-spool-(\d+)-/;

/** Creates an empty spool. Above `memoryBytes` it moves to a temporary file that only the user can read. */
export function createSpool(memoryBytes: number): Spool {
  let buffer = Buffer.alloc(0);
  let size = 0;
  let file: ReturnType<typeof openTemporaryFile> | null = null;

  const spill = () => {
    const opened = openTemporaryFile();
    writeAll(opened.fd, buffer.subarray(0, size), 0);
    buffer = Buffer.alloc(0);
    return opened;
  };
  const hold = (bytes: Uint8Array) => {
    if (size + bytes.length > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(memoryBytes, Math.max(size + bytes.length, buffer.length * 2, 4096)),
      );
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(bytes, size);
  };
  return {
    size: () => size,
    append: (bytes) => {
      if (file === null && size + bytes.length > memoryBytes) file = spill();
      if (file === null) hold(bytes);
      else writeAll(file.fd, bytes, size);
      size += bytes.length;
      return size - bytes.length;
    },
    read: (start, end, room) =>
      file === null ? buffer.subarray(start, end) : readAll(file.fd, start, roomFor(end - start, room), cutShort),
    truncate: (to) => {
      size = to;
    },
    close: () => {
      file?.close();
      file = null;
      buffer = Buffer.alloc(0);
      size = 0;
    },
  };
}

function openTemporaryFile() {
  const folder = tmpdir();
  try {
    removeLeftovers(folder);
    const path = join(folder, `rlm-spool-${process.pid}-${randomBytes(8).toString('hex')}`);
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    const isNameless = remove(path);
    const close = () => {
      closeSync(fd);
      if (!isNameless) remove(path);
    };
    return { fd, close };
  } catch (error) {
    throw noSpace(folder, error);
  }
}

/** Removes the files of killed processes, which remain on systems that cannot unlink an open file. */
function removeLeftovers(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const owner = spoolName.exec(entry);
    if (owner !== null && !isAlive(Number(owner[1]))) remove(join(folder, entry));
  }
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, position + done);
    }
  } catch (error) {
    throw noSpace(tmpdir(), error);
  }
}

const roomFor = (size: number, room?: Uint8Array): Buffer =>
  room === undefined ? Buffer.allocUnsafeSlow(size) : Buffer.from(room.buffer, room.byteOffset, size);

const cutShort = () => new Error('the temporary file that holds the text was cut short');

/** Fills `bytes` from the file, beginning at `start`. Throws `tooShort()` at the end of the file. */
export function readAll(fd: number, start: number, bytes: Buffer, tooShort: () => Error): Buffer {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(fd, bytes, done, bytes.length - done, start + done);
    if (read === 0) throw tooShort();
    done += read;
  }
  return bytes;
}

const noSpace = (folder: string, error: unknown) =>
  new RlmError(
    'no-space',
    `the text does not fit into memory, and cannot be kept in ${folder}: ${systemDetail(error)}`,
    {
      hint: 'Free disk space there, name another folder (TMPDIR=/path rlm …), or give less text.',
      cause: error,
    },
  );
