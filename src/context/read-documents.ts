import { type Decoded, decodeDocument, headBytes, isBinary } from './decode.ts';
import type { InputTotal, Reserve } from './input-total.ts';
import { chooseReader } from './readers/index.ts';
import { type ReadPart, type ReadText, skippedAs, streamOf } from './readers/reader.ts';
import type { Skipped } from './skipped.ts';

/** What a file, a pipe or an address came to; a file that holds others comes to several documents. */
export interface ReadDocuments {
  readonly documents: readonly Decoded[];
  readonly skipped: readonly Skipped[];
}

/** How much is held of all inputs, and how long one of them may take. */
export interface Bounds {
  readonly total: InputTotal;
  /** Time to get the text out of one file that is more than text, in ms. */
  readonly readTimeoutMs: number;
}

/** Whether a file of that name that begins like this may be text, or can be made text. */
export const isReadable = (name: string, bytes: Uint8Array): boolean =>
  chooseReader(name, bytes.subarray(0, headBytes)) !== null || !isBinary(bytes);

/**
 * The documents in the bytes of a file, which are reserved already; what stays reserved is what is returned.
 * @param fileName tells what kind of file it is
 * @throws RlmError `input-too-large`; the signal's reason
 */
export async function readDocuments(
  name: string,
  fileName: string,
  bytes: Uint8Array,
  { total, readTimeoutMs }: Bounds,
  signal: AbortSignal,
): Promise<ReadDocuments> {
  const reader = bytes.length === 0 ? null : chooseReader(fileName, bytes.subarray(0, headBytes));
  if (reader === null) return asText(name, bytes, total.reserveFor(name));
  total.reserveFor(name)(-bytes.length);
  const limits = { maxBytes: total.maxBytes, timeoutMs: readTimeoutMs, signal };
  const [documents, skipped]: [Decoded[], Skipped[]] = [[], []];
  try {
    for await (const part of reader.read({ name, bytes: streamOf(bytes) }, limits)) {
      const read = await takePart(part, total);
      documents.push(...read.documents);
      skipped.push(...read.skipped);
    }
  } catch (error) {
    skipped.push(skippedAs(name, error));
  }
  return { documents, skipped };
}

/** Bytes that are reserved already as one document. */
export function asText(name: string, bytes: Uint8Array, reserve: Reserve): ReadDocuments {
  const decoded = decodeDocument(name, bytes);
  const { length } = decoded.document.bytes;
  reserve(length - bytes.length);
  return length === 0 ? { documents: [], skipped: [{ name, reason: 'empty' }] } : { documents: [decoded], skipped: [] };
}

async function takePart(part: ReadPart, total: InputTotal): Promise<ReadDocuments> {
  if (!('bytes' in part)) return { documents: [], skipped: [part] };
  const reserve = total.reserveFor(part.name);
  let reserved = 0;
  try {
    const pieces = await collect(part, (length) => {
      reserve(length);
      reserved += length;
    });
    const { documents, skipped } = asText(part.name, pieces, reserve);
    return { documents: documents.map((one) => ({ ...one, warnings: [...part.warnings, ...one.warnings] })), skipped };
  } catch (error) {
    reserve(-reserved);
    return { documents: [], skipped: [skippedAs(part.name, error)] };
  }
}

async function collect({ bytes }: ReadText, reserve: Reserve): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) {
    reserve(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
