/**
 * A file of vectors: a head of four whole numbers (a mark, the version, the numbers of a vector, the vectors), a key of
 * 16 bytes for each vector, the vectors, and the first 16 bytes of the SHA-256 of all that. Numbers are as this machine
 * writes them; a file from a machine of the other byte order has another mark and is ignored.
 */
import { createHash } from 'node:crypto';

const mark = 0x724c4d76;
const version = 1;
const headBytes = 16;
const keyBytes = 16;
const sumBytes = 16;

/** The key of a text: the first 32 hex digits of its SHA-256. */
export const keyOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * keyBytes);

/** The content of a file. */
export interface VectorFile {
  readonly keys: readonly string[];
  readonly vectors: readonly Float32Array[];
}

const sumOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest().subarray(0, sumBytes);

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @param vectors all of one length. */
export function encodeVectors(keys: readonly string[], vectors: readonly Float32Array[]): Buffer {
  const head = Uint32Array.of(mark, version, vectors[0]?.length ?? 0, vectors.length);
  const body = [bytesOf(head), ...keys.map((key) => Buffer.from(key, 'hex')), ...vectors.map(bytesOf)];
  const whole = Buffer.concat(body);
  return Buffer.concat([whole, sumOf(whole)]);
}

/** Size of the beginning of a file that `decodeKeys` needs for so many vectors, in bytes. */
export const keysEnd = (count: number): number => headBytes + count * keyBytes;

/** Decodes the head of a file; null when it has none, or is of another version. */
function decodeHead(bytes: Uint8Array): { dimensions: number; count: number } | null {
  if (bytes.length < headBytes) return null;
  const [found, format, dimensions = 0, count = 0] = new Uint32Array(
    Uint8Array.from(bytes.subarray(0, headBytes)).buffer,
  );
  return found === mark && format === version ? { dimensions, count } : null;
}

/** Decodes the keys at the beginning of a file; none when it is damaged. Does not verify its checksum. */
export function decodeKeys(bytes: Buffer): string[] {
  const count = decodeHead(bytes)?.count ?? 0;
  if (bytes.length < keysEnd(count)) return [];
  return Array.from({ length: count }, (_, place) => bytes.toString('hex', keysEnd(place), keysEnd(place + 1)));
}

/** Decodes a whole file; null when it is damaged. */
export function decodeVectors(bytes: Buffer): VectorFile | null {
  const head = decodeHead(bytes);
  if (head === null) return null;
  const { dimensions, count } = head;
  const start = keysEnd(count);
  const end = start + 4 * count * dimensions;
  if (bytes.length !== end + sumBytes || !sumOf(bytes.subarray(0, end)).equals(bytes.subarray(end))) return null;
  const numbers = new Float32Array(Uint8Array.from(bytes.subarray(start, end)).buffer);
  const vectors = Array.from({ length: count }, (_, place) =>
    numbers.subarray(place * dimensions, (place + 1) * dimensions),
  );
  return { keys: decodeKeys(bytes), vectors };
}
