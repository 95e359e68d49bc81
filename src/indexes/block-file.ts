import { closeSync, fstatSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { openOwnFile } from '../base/files/own-file.ts';
import { errnoOf, systemDetail } from '../base/files/system.ts';
import { readAll, type StoredBytes } from '../context/store/spool.ts';
import { RlmError, unwritable } from '../errors.ts';

/** Thrown when a file of an index is missing or incomplete. */
export class Damage extends Error {
  override readonly name = 'Damage';
}

export type BlockWriter = ReturnType<typeof createBlockFile>;

const bufferBytes = 1024 * 1024;

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
  let held = 0;
  let size = 0;
  const flush = () => {
    for (let done = 0; done < held; ) done += attempt(() => writeSync(fd, buffer, done, held - done));
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
    /** Writes the buffered bytes to the disk and closes the file. Returns its size in bytes. */
    finish: () => {
      flush();
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

/** Opens a file of `size` bytes. Throws Damage if the file is shorter, or the system's error. */
export function openBlockFile(path: string, size: number): StoredBytes & { close(): void } {
  const fd = openOwnFile(path);
  const cutShort = () => new Damage(`${basename(path)} was cut short`);
  if (fstatSync(fd).size < size) {
    closeSync(fd);
    throw cutShort();
  }
  return {
    size: () => size,
    read: (start, end) => readAll(fd, start, Buffer.allocUnsafeSlow(end - start), cutShort),
    close: () => closeSync(fd),
  };
}
