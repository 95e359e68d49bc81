import { closeSync, constants, createReadStream, fstatSync, openSync, read, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { headBytes } from './decode.ts';
import type { Input } from './find-inputs.ts';
import type { Reserve } from './input-total.ts';

const readLater = promisify(read);

/** No single read is longer, so that an abort is heard soon. */
const maxReadBytes = 16 * 1024 * 1024;

/** Whether a file is to be read, by its first `headBytes` or more. */
type Wants = (start: Uint8Array) => boolean;

/**
 * All bytes of an input, or null when it is not wanted. What stays reserved is what is returned. A file that fits `scratch`
 * is read at once, which takes a tenth of the time that handing it to the thread pool does; a longer one is read as it comes.
 * @param scratch a buffer that nothing else uses meanwhile
 * @throws the system's error, what `reserve` throws, or the signal's reason
 */
export async function readInput(
  input: Input,
  scratch: Buffer,
  wants: Wants,
  reserve: Reserve,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  if (input.kind !== 'file') return readStream(input, wants, reserve, signal);
  const follow = input.named ? 0 : constants.O_NOFOLLOW;
  const file = openSync(input.path, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  try {
    return await readOpened(file, scratch, wants, createHolding(reserve), signal);
  } finally {
    closeSync(file);
  }
}

async function readOpened(file: number, scratch: Buffer, wants: Wants, held: Holding, signal: AbortSignal) {
  const length = fill(scratch, file);
  if (!wants(scratch.subarray(0, length))) return null;
  if (length === scratch.length) return readRest(scratch, file, held, signal);
  held.grow(length);
  return Buffer.from(scratch.subarray(0, length));
}

function fill(buffer: Buffer, file: number): number {
  let length = 0;
  for (let bytes = -1; bytes !== 0 && length < buffer.length; length += bytes) {
    bytes = readSync(file, buffer, length, buffer.length - length, null);
  }
  return length;
}

async function readRest(head: Buffer, file: number, held: Holding, signal: AbortSignal): Promise<Uint8Array> {
  let buffer = enlarge(head, file, held);
  for (let length = head.length; ; ) {
    signal.throwIfAborted();
    if (length === buffer.length) buffer = enlarge(buffer, file, held);
    const { bytesRead } = await readLater(file, buffer, length, Math.min(buffer.length - length, maxReadBytes), null);
    length += bytesRead;
    held.grow(length);
    if (bytesRead === 0) return exactly(buffer, length, held);
  }
}

/** A buffer for the whole file, with room for one byte more so that its end is seen; or twice as large, if it grew. */
function enlarge(buffer: Buffer, file: number, held: Holding): Buffer {
  const { size } = fstatSync(file);
  held.grow(size);
  const larger = Buffer.allocUnsafeSlow(size >= buffer.length ? size + 1 : buffer.length * 2);
  buffer.copy(larger);
  return larger;
}

function exactly(buffer: Buffer, length: number, held: Holding): Uint8Array {
  held.settle(length);
  return buffer.subarray(0, length);
}

interface Holding {
  /** At least this many bytes are held. */
  grow(bytes: number): void;
  /** Exactly this many are. */
  settle(bytes: number): void;
}

function createHolding(reserve: Reserve): Holding {
  let reserved = 0;
  const settle = (bytes: number) => {
    reserve(bytes - reserved);
    reserved = bytes;
  };
  return { settle, grow: (bytes) => bytes > reserved && settle(bytes) };
}

async function readStream(input: Input, wants: Wants, reserve: Reserve, signal: AbortSignal) {
  signal.throwIfAborted();
  const stream = addAbortSignal(signal, openStream(input));
  try {
    return await collect(stream, wants, createHolding(reserve));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** A FIFO is read as a socket is, so that waiting for its writer holds up nothing and can be given up. */
function openStream({ kind, path }: Input): Readable {
  if (kind === 'device') return createReadStream(path);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

async function collect(stream: Readable, wants: Wants, held: Holding): Promise<Uint8Array | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    const headComplete = length < headBytes && length + piece.length >= headBytes;
    pieces.push(piece);
    length += piece.length;
    held.grow(length);
    if (headComplete && !wants(Buffer.concat(pieces))) break;
  }
  const bytes = Buffer.concat(pieces);
  const wanted = wants(bytes);
  held.settle(wanted ? length : 0);
  return wanted ? bytes : null;
}
