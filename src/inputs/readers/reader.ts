import type { Encoding } from '../decode.ts';
import type { ByteSource } from '../read-file.ts';
import type { Skipped, SkipReason } from '../skipped.ts';

/** A file as it comes. */
export interface Source {
  /** As documents made of it are called. */
  readonly name: string;
  /** A piece stays what it is. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The terms on which one file is read. */
export interface ReadLimits {
  /** Of the text of one document, and of what is held to get it. */
  readonly maxBytes: number;
  /** Of text in it that has no byte order mark. */
  readonly encoding: Encoding;
  /** How many times its size a packed file may unpack to. */
  readonly maxUnpackRatio: number;
  /** Time to get the text out of one file, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A document that is in a file. */
interface ReadText {
  readonly name: string;
  /** As a text file. Must be taken, or left, before the next document. */
  readonly source: ByteSource;
  /** Of text without a byte order mark. */
  readonly encoding: Encoding;
  readonly warnings: readonly string[];
}

/** A document in a file, or what is no document. */
export type ReadPart = ReadText | Skipped;

/** Gets the text out of a file that is more than text. */
export interface Reader {
  /**
   * The documents in a file, in its order.
   * @throws UnreadableFile, also while a document's bytes are taken: what came of that document is then to be dropped;
   *   the signal's reason
   */
  read(source: Source, limits: ReadLimits): AsyncIterable<ReadPart>;
}

/** Reads a file that is in another one, by the name that it has there; files that hold others are not read. */
export type ReadMember = (innerName: string, source: Source, limits: ReadLimits) => AsyncIterable<ReadPart>;

/** A file, or a part of one, that has no text to give. Whoever reads it skips it and says why. */
export class UnreadableFile extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason, detail = '') {
    super(detail);
    this.reason = reason;
  }
}

/** What was thrown, as skipped; throws it again when it is nothing about the file. */
export function skippedAs(name: string, error: unknown): Skipped {
  if (!(error instanceof UnreadableFile)) throw error;
  return { name, reason: error.reason, ...(error.message === '' ? {} : { detail: error.message }) };
}

/** A file that a reader must have whole is held in memory, and its text as one string. */
const maxWholeBytes = 256 * 1024 * 1024;

/** How much of a file, or of its text, is held whole where so many bytes are allowed in all. */
export const wholeBytes = (maxBytes: number): number => Math.min(maxBytes, maxWholeBytes);

/** All bytes of a file. Throws UnreadableFile when they are more than may be held. */
export async function readWhole({ bytes }: Source, { maxBytes, signal }: ReadLimits): Promise<Buffer> {
  const limit = wholeBytes(maxBytes);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    signal.throwIfAborted();
    length += piece.length;
    if (length > limit) throw new UnreadableFile('too large', `more than ${limit} bytes`);
    pieces.push(piece);
  }
  return pieces.length === 1 ? Buffer.from(pieces[0]!.buffer, pieces[0]!.byteOffset, length) : Buffer.concat(pieces);
}

/** Bytes that are there already, as a stream. */
export async function* streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
