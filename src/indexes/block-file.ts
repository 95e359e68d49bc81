import { closeSync, fstatSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { openOwnFile } from '../base/files/own-file.ts';
import { errnoOf, systemDetail } from '../base/files/system.ts';
import { readAll, type StoredBytes } from '../context/store/spool.ts';
import { RlmError, unwritable } from '../errors.ts';

/** Thrown when a file of an index is missing, incomplete or changed. */
export class Damage extends Error {
  override readonly name = 'Damage';
}

export type BlockWriter = ReturnType<typeof createBlockFile>;

/** Each block of a file has a checksum (CRC-32). The checksums follow the last block. */
const blockBytes = 64 * 1024;
const bufferBytes = 16 * blockBytes;
const sumBytes = 4;

function refused(path: string, error: unknown): RlmError {
  const elsewhere = 'or name another state folder with RLM_HOME.';
  if (!['ENOSPC', 'EDQUOT'].includes(errnoOf(error)))
    return unwritable(path, error, `Make the folder writable, ${elsewhere}`);
  return new RlmError('no-space', `${path} cannot be written: ${systemDetail(error)}`, {
    hint: `Free disk space there, ${elsewhere}`,
    cause: error,
  });
}

/**
 * Creates a file that only the user can read. The call and the returned functions throw RlmError `no-space`,
 * `output-unwritable` or `too-many-files`.
 */
export function createBlockFile(path: string) {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw refused(path, error);
    }
  };
  const fd = attempt(() => openSync(path, 'wx', 0o600));
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  const sums: number[] = [];
  let held = 0;
  let size = 0;
  const write = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += attempt(() => writeSync(fd, bytes, done, bytes.length - done));
  };
  const flush = () => {
    const bytes = buffer.subarray(0, held);
    for (let at = 0; at < held; at += blockBytes) sums.push(crc32(bytes.subarray(at, at + blockBytes)));
    write(bytes);
    held = 0;
  };
  return {
    size: () => size,
    append: (bytes: Uint8Array) => {
      for (let done = 0; done < bytes.length; ) {
        const taken = Math.min(buffer.length - held, bytes.length - done);
        buffer.set(bytes.subarray(done, done + taken), held);
        held += taken;
        done += taken;
        if (held === buffer.length) flush();
      }
      size += bytes.length;
    },
    /** Writes the buffered bytes to the disk and closes the file. Returns its size without checksums, in bytes. */
    finish: () => {
      flush();
      write(new Uint8Array(Uint32Array.from(sums).buffer));
      attempt(() => fsyncSync(fd));
      closeSync(fd);
      return size;
    },
    abandon: () => {
      closeSync(fd);
      unlinkSync(path);
    },
  };
}

/**
 * Opens a file of `size` bytes without checksums. Throws Damage if the file is shorter, or the system's error. `read`
 * throws Damage if a block that it reads for the first time was changed.
 */
export function openBlockFile(path: string, size: number): StoredBytes & { close(): void } {
  const fd = openOwnFile(path);
  const cutShort = () => new Damage(`${basename(path)} was cut short`);
  const blocks = Math.ceil(size / blockBytes);
  if (fstatSync(fd).size < size + blocks * sumBytes) {
    closeSync(fd);
    throw cutShort();
  }
  const take = (start: number, end: number) => readAll(fd, start, Buffer.allocUnsafeSlow(end - start), cutShort);
  const sums = take(size, size + blocks * sumBytes);
  const isChecked = new Uint8Array(blocks);
  const check = (block: number, bytes: Buffer) => {
    if (crc32(bytes) !== sums.readUInt32LE(block * sumBytes)) throw new Damage(`${basename(path)} was changed`);
    isChecked[block] = 1;
  };
  return {
    size: () => size,
    read: (start, end) => {
      const [first, last] = [Math.floor(start / blockBytes), Math.ceil(end / blockBytes)];
      if (isChecked.subarray(first, last).every((is) => is === 1)) return take(start, end);
      const from = first * blockBytes;
      const bytes = take(from, Math.min(size, last * blockBytes));
      for (let block = first; block < last; block++)
        check(block, bytes.subarray(block * blockBytes - from, (block + 1) * blockBytes - from));
      return bytes.subarray(start - from, end - from);
    },
    close: () => closeSync(fd),
  };
}
