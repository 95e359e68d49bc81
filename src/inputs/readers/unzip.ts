import { crc32, createInflateRaw } from 'node:zlib';
import { streamOf, UnreadableFile } from './reader.ts';
import { packedBytesOf, type ZipEntry } from './zip-directory.ts';

/** Unpacks a file in a zip file; never more bytes than the directory states. Throws UnreadableFile. */
export async function* unzip(zip: Buffer, entry: ZipEntry): AsyncIterable<Uint8Array> {
  let length = 0;
  let sum = 0;
  for await (const piece of unpackedPieces(zip, entry)) {
    length += piece.length;
    if (length > entry.unpackedBytes) throw new UnreadableFile('corrupt', 'it is longer than its archive says');
    sum = crc32(piece, sum);
    yield piece;
  }
  if (length < entry.unpackedBytes || sum !== entry.crc32) {
    throw new UnreadableFile('corrupt', 'it is not what its archive says (checksum)');
  }
}

function unpackedPieces(zip: Buffer, entry: ZipEntry): AsyncIterable<Uint8Array> {
  if (entry.encrypted) throw new UnreadableFile('encrypted', '');
  const packed = packedBytesOf(zip, entry);
  if (entry.method === 0) return streamOf(packed);
  if (entry.method === 8) return inflate(packed);
  throw new UnreadableFile('unsupported', `compression method ${entry.method}`);
}

async function* inflate(packed: Buffer): AsyncIterable<Uint8Array> {
  const stream = createInflateRaw();
  stream.end(packed);
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw new UnreadableFile('corrupt', error instanceof Error ? error.message : String(error));
  }
}
