import { isStackFull } from '../../base/stack-full.ts';
import type { DocumentInfo } from '../../state.ts';
import type { Encoding } from '../decode.ts';
import type { Scan } from '../pictures.ts';
import type { ByteSource } from '../read-file.ts';
import type { Skipped, SkipReason } from '../skipped.ts';

/** A file that is read in pieces. */
export interface ReaderSource {
  readonly name: string;
  /** The buffer of a piece is not reused. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ReadLimits {
  /** Limit for the text of one document, and for the bytes that its reader holds in memory. */
  readonly maxBytes: number;
  readonly encoding: Encoding;
  /** Highest ratio of the unpacked to the packed size of a file. */
  readonly maxUnpackRatio: number;
  /** Time limit for extracting the text of one file, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface ReadText extends Pick<DocumentInfo, 'isExtracted'> {
  readonly name: string;
  /** The content, in the form of a text file. The caller reads or skips it before it requests the next document. */
  readonly source: ByteSource;
  readonly encoding: Encoding;
  readonly warnings: readonly string[];
}

/** A document in a file, or a part that is skipped. `scan` is present if pages of the document are pictures. */
export type ReadPart = (ReadText | Skipped) & { readonly scan?: Scan };

/** Extracts the text of a file of a known format. */
export interface Reader {
  /**
   * Yields the documents in a file. Throws UnreadableFile or the signal's reason. Reading the content of a document can
   * throw the same errors.
   */
  read(source: ReaderSource, limits: ReadLimits): AsyncIterable<ReadPart>;
}

/** Reads a file that another file holds under the name `innerName`. Archives inside archives are not read. */
export type ReadMember = (innerName: string, source: ReaderSource, limits: ReadLimits) => AsyncIterable<ReadPart>;

/** Thrown for a file, or a part of one, whose text cannot be read. The caller skips it and reports why. */
export class UnreadableFile extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason, detail = '') {
    super(detail);
    this.reason = reason;
  }
}

export const tooSlow = (timeoutMs: number) =>
  new UnreadableFile('too slow to read', `not done after ${timeoutMs / 1000} s (inputs.readTimeout)`);

/** Converts an error to the entry that reports the file as skipped. Rethrows errors that are not about the file. */
export function skippedAs(name: string, error: unknown): Skipped {
  if (!(error instanceof UnreadableFile)) throw error;
  return { name, reason: error.reason, ...(error.message === '' ? {} : { detail: error.message }) };
}

const maxWholeBytes = 256 * 1024 * 1024;

/** Returns how many bytes of a file, or of its text, may be held at once when `maxBytes` are allowed in total. */
export const wholeBytes = (maxBytes: number): number => Math.min(maxBytes, maxWholeBytes);

/** Returns all bytes of a file. Throws UnreadableFile if there are more than `wholeBytes` allows. */
export async function readWhole({ bytes }: ReaderSource, { maxBytes, signal }: ReadLimits): Promise<Buffer> {
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

export async function* streamOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

export const tooDeep = () => new UnreadableFile('corrupt', 'its elements are nested too deeply');

/** Returns the error for a file that its parser cannot read. Omits the parser's message, because it helps no user. */
export function unreadableBy(error: unknown, format: string): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  return isStackFull(error) ? tooDeep() : new UnreadableFile('corrupt', `its content is not valid ${format}`);
}
