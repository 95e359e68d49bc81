import { closeSync, constants, createReadStream, fstatSync, openSync, type ReadStream, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { untilAborted } from '../base/abort.ts';
import { errnoOf } from '../base/files/system.ts';
import { headBytes } from './decode.ts';
import type { Input } from './find/find-inputs.ts';

/** Maximum number of bytes of one read. It is small, so that an abort takes effect soon. */
const pieceBytes = 1024 * 1024;

/** Bytes that are read in pieces. */
export interface ByteSource {
  /** The first bytes, enough to detect the format; all bytes if `rest` is null. Valid until another source opens. */
  readonly head: Uint8Array;
  /** The size that the file system reports, in bytes; null if it reports none or if `rest` is null. */
  readonly bytes: number | null;
  /** The bytes after `head`; a piece is valid until the next one is requested. */
  readonly rest: AsyncIterable<Uint8Array> | null;
  /** Closes the source. The consumer has to call it at the end. */
  close(): void;
}

export const wholeSource = (head: Uint8Array): ByteSource => ({ head, bytes: null, rest: null, close: () => {} });

export async function* piecesOf({ head, rest }: ByteSource): AsyncIterable<Uint8Array> {
  yield head;
  if (rest !== null) yield* rest;
}

/** Copies each piece, because a reader may still use a piece after it has requested the next. */
export async function* copiesOf(source: ByteSource): AsyncIterable<Uint8Array> {
  for await (const piece of piecesOf(source)) yield Uint8Array.from(piece);
}

interface Limits {
  readonly readTimeoutMs: number;
  /** Creates the error for a FIFO that had no writer for `readTimeoutMs`. */
  readonly late: (ms: number) => Error;
  readonly signal: AbortSignal;
}

/** Opens an input. Reads the whole file if it fits `scratch`. Throws system errors, the signal's reason, or `late`. */
export function openInput(input: Input, scratch: Buffer, limits: Limits): ByteSource | Promise<ByteSource> {
  return input.kind === 'file' ? openFile(input, scratch, limits.signal) : openPipe(input, limits);
}

function openFile(input: Input, scratch: Buffer, signal: AbortSignal): ByteSource {
  const follow = input.named ? 0 : constants.O_NOFOLLOW;
  const fd = openSync(input.path, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  let rest: ReadStream | null = null;
  try {
    const head = scratch.subarray(0, fill(scratch, fd));
    if (head.length < scratch.length) return wholeSource(head);
    const { size } = fstatSync(fd);
    // Reads up to the file's present size, if the system reports one.
    const end = size > head.length ? size - 1 : Number.POSITIVE_INFINITY;
    const stream = createReadStream('', { fd, start: head.length, end, highWaterMark: pieceBytes });
    rest = stream;
    return { head, bytes: size, rest: piecesUntilAborted(stream, signal), close: () => stream.destroy() };
  } finally {
    if (rest === null) closeSync(fd);
  }
}

function fill(buffer: Buffer, fd: number): number {
  let length = 0;
  for (let bytes = -1; bytes !== 0 && length < buffer.length; length += bytes) {
    bytes = readSync(fd, buffer, length, buffer.length - length, null);
  }
  return length;
}

async function* piecesUntilAborted(stream: ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    signal.throwIfAborted();
    yield piece;
  }
}

async function openPipe(input: Input, limits: Limits): Promise<ByteSource> {
  const { signal } = limits;
  signal.throwIfAborted();
  const stream = addAbortSignal(signal, openStream(input, limits));
  const close = () => {
    stream.destroy();
  };
  return readHead(stream, close, signal);
}

/** Reads a FIFO as a socket, so that waiting for its writer blocks nothing and can be aborted. */
function openStream({ kind, path }: Input, { readTimeoutMs, late }: Limits): Readable {
  if (kind === 'device') return createReadStream(path);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stream = new Socket({ fd, readable: true, writable: false });
  const timer = setTimeout(() => setImmediate(() => endUnwritten(stream, fd, late(readTimeoutMs))), readTimeoutMs);
  return stream.once('close', () => clearTimeout(timer));
}

/**
 * Ends a FIFO if it has no writer. A read from such a FIFO returns no byte. With a writer, a read returns a byte or
 * throws EAGAIN.
 */
function endUnwritten(stream: Socket, fd: number, error: Error): void {
  if (stream.bytesRead > 0 || stream.destroyed || stream.readableEnded) return;
  const byte = Buffer.alloc(1);
  try {
    if (readSync(fd, byte) === 0) stream.destroy(error);
    else stream.unshift(byte);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EAGAIN') stream.destroy(thrown as Error);
  }
}

/** Creates a source from pieces. Its `close` ends the iteration. Throws errors of the pieces or the signal's reason. */
export async function readHead(
  pieces: AsyncIterable<Uint8Array>,
  closePieces: () => void,
  signal: AbortSignal,
): Promise<ByteSource> {
  const iterator = pieces[Symbol.asyncIterator]();
  const close = () => {
    closePieces();
    iterator.return?.().catch(() => {}); // An error does not matter, because nobody reads on.
  };
  const next = async () => untilAborted(iterator.next(), signal);
  async function* rest(): AsyncGenerator<Uint8Array> {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  }
  let head: Uint8Array = new Uint8Array(0);
  try {
    while (head.length < headBytes) {
      const piece = await next();
      if (piece.done) return { head, bytes: null, rest: null, close };
      head = Buffer.concat([head, piece.value]);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { head, bytes: null, rest: rest(), close };
}
