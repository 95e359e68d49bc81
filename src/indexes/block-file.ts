/** A file whose every block has a checksum, so that a read verifies what it reads and nothing else. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { openOwnFile } from '../base/files/own-file.ts';
import { systemDetail } from '../base/files/system.ts';
import type { StoredBytes } from '../context/store/spool.ts';
import { RlmError } from '../errors.ts';

/** A file of an index is not what it was when it was written. */
export class Damage extends Error {
  override readonly name = 'Damage';
}

/** What a block file is recognised by. */
export interface BlockFacts {
  /** Of its content. */
  readonly bytes: number;
  /** Of its blocks' checksums, which stand behind the content. */
  readonly sum: string;
}

/** A block file that is being written. All throw RlmError `no-space` when the system refuses. */
export interface BlockWriter {
  size(): number;
  append(bytes: Uint8Array): void;
  /** The last of it; it is on the disk then. */
  finish(): BlockFacts;
  /** Closes and removes it. */
  abandon(): void;
}

/** A block file that is read, at any place. */
interface BlockReader extends StoredBytes {
  close(): void;
}

const blockBytes = 16 * 1024;
const blocksAtOnce = 64;
const sumBytes = 4;

const sumOf = (sums: Uint8Array): string => createHash('sha256').update(sums).digest('hex').slice(0, 16);

function addSums(sums: Buffer[], bytes: Uint8Array): void {
  const added = Buffer.alloc(Math.ceil(bytes.length / blockBytes) * sumBytes);
  for (let block = 0; block * blockBytes < bytes.length; block++) {
    added.writeUInt32LE(crc32(bytes.subarray(block * blockBytes, (block + 1) * blockBytes)), block * sumBytes);
  }
  sums.push(added);
}

function refused(path: string, error: unknown): RlmError {
  return new RlmError('no-space', `${path} cannot be written: ${systemDetail(error)}`, {
    hint: 'Free disk space there, or name another state folder with RLM_HOME.',
    cause: error,
  });
}

/** Begins a file that does not exist, readable by the user alone. */
export function createBlockFile(path: string): BlockWriter {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw refused(path, error);
    }
  };
  const fd = attempt(() => openSync(path, 'wx', 0o600));
  const buffer = Buffer.allocUnsafeSlow(blocksAtOnce * blockBytes);
  const sums: Buffer[] = [];
  let held = 0;
  let size = 0;
  const write = (bytes: Uint8Array) =>
    attempt(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    });
  const flush = () => {
    addSums(sums, buffer.subarray(0, held));
    write(buffer.subarray(0, held));
    held = 0;
  };
  return {
    size: () => size,
    append: (bytes) => {
      for (let done = 0; done < bytes.length; ) {
        const taken = Math.min(buffer.length - held, bytes.length - done);
        buffer.set(bytes.subarray(done, done + taken), held);
        held += taken;
        done += taken;
        if (held === buffer.length) flush();
      }
      size += bytes.length;
    },
    finish: () => {
      flush();
      const all = Buffer.concat(sums);
      write(all);
      attempt(() => fsyncSync(fd));
      closeSync(fd);
      return { bytes: size, sum: sumOf(all) };
    },
    abandon: () => {
      closeSync(fd);
      unlinkSync(path);
    },
  };
}

function readWhole(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, start + done);
    if (read === 0) throw new Damage('a part of it was cut short');
    done += read;
  }
  return bytes;
}

function readSums(fd: number, name: string, { bytes, sum }: BlockFacts): Buffer {
  const length = Math.ceil(bytes / blockBytes) * sumBytes;
  if (fstatSync(fd).size !== bytes + length) throw new Damage(`${name} has another size than it had`);
  const sums = readWhole(fd, bytes, length);
  if (sumOf(sums) !== sum) throw new Damage(`${name} holds other bytes than were written`);
  return sums;
}

/**
 * Opens a file that `createBlockFile` has made.
 * @throws Damage when it is another one, as `read` does where bytes have changed; the system's error.
 */
export function openBlockFile(path: string, facts: BlockFacts): BlockReader {
  const fd = openOwnFile(path);
  const name = basename(path);
  try {
    const sums = readSums(fd, name, facts);
    return {
      size: () => facts.bytes,
      read: (start, end) => {
        const first = Math.floor(start / blockBytes);
        const from = first * blockBytes;
        const bytes = readWhole(fd, from, Math.min(facts.bytes, Math.ceil(end / blockBytes) * blockBytes) - from);
        for (let at = 0; at < bytes.length; at += blockBytes) {
          const sum = sums.readUInt32LE((first + at / blockBytes) * sumBytes);
          if (crc32(bytes.subarray(at, at + blockBytes)) !== sum) {
            throw new Damage(`${name} holds other bytes than were written`);
          }
        }
        return bytes.subarray(start - from, end - from);
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
