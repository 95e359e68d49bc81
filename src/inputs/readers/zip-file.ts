/** Reads zip files. Checks the table of contents before anything is unpacked. */
import { isUtf8 } from 'node:buffer';
import { crc32, createInflateRaw } from 'node:zlib';
import { streamOf, UnreadableFile } from './reader.ts';
import { checkUnpacked } from './unpack-limit.ts';

export interface ZipEntry {
  /** With `/` separators; never leads out of the archive. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symlink';
  readonly encrypted: boolean;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Offset of its local header, in bytes. */
  readonly offset: number;
}

const endLength = 22;
const entryLength = 46;
const localLength = 30;
const locatorLength = 20;
const signatures = {
  end: 0x06054b50,
  entry: 0x02014b50,
  local: 0x04034b50,
  largeEnd: 0x06064b50,
  largeLocator: 0x07064b50,
} as const;
/** Placeholders in fields of 16 and 32 bits. The actual value is in a field of 64 bits elsewhere (Zip64). */
const elsewhere = { short: 0xffff, long: 0xffffffff } as const;

const corrupt = (detail: string) => new UnreadableFile('corrupt', detail);

/** Returns the entries of a zip file. Throws UnreadableFile for a damaged file or a decompression bomb. */
export function readDirectory(zip: Buffer, maxUnpackRatio: number): ZipEntry[] {
  const end = findEnd(zip);
  const { count, start } = findEntries(zip, end);
  const entries: ZipEntry[] = [];
  for (let at = start; entries.length < count; ) {
    if (at + entryLength > end || zip.readUInt32LE(at) !== signatures.entry) throw corrupt('its directory is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    entries.push(readEntry(zip, at, nameLength!, extraLength!));
    at += entryLength + nameLength! + extraLength! + commentLength!;
  }
  checkApart(entries, start);
  const unpacked = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  checkUnpacked(unpacked, zip.length, maxUnpackRatio);
  return entries;
}

/** Returns the offset of the end record, which only a comment of up to 64 KB may follow. */
function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - endLength - 0xffff);
  for (let at = zip.length - endLength; at >= first; at--) if (zip.readUInt32LE(at) === signatures.end) return at;
  throw corrupt('it has no end: it is cut short, or not a zip file');
}

function findEntries(zip: Buffer, end: number): { readonly count: number; readonly start: number } {
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
  if (count !== elsewhere.short && start !== elsewhere.long) return { count, start };
  const locator = end - locatorLength;
  if (locator < 0 || zip.readUInt32LE(locator) !== signatures.largeLocator) return { count, start };
  const large = readLong(zip, locator + 8);
  if (large + 56 > zip.length || zip.readUInt32LE(large) !== signatures.largeEnd) throw corrupt('its end is damaged');
  return { count: readLong(zip, large + 32), start: readLong(zip, large + 48) };
}

/** Reads a field of 64 bits. Values above 2^53 are inexact, but exceed the size of any file. */
const readLong = (zip: Buffer, at: number): number => Number(zip.readBigUInt64LE(at));

/** Replaces Zip64 placeholders with the values in the entry's extra field, which are in the same order. */
function withLarge(values: readonly number[], extra: Buffer): readonly number[] {
  let field: Buffer = Buffer.alloc(0);
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  let next = 0;
  return values.map((value) => {
    if (value !== elsewhere.long || next + 8 > field.length) return value;
    next += 8;
    return readLong(field, next - 8);
  });
}

function readEntry(zip: Buffer, at: number, nameLength: number, extraLength: number): ZipEntry {
  const rawName = zip.subarray(at + entryLength, at + entryLength + nameLength);
  const mode = (zip.readUInt32LE(at + 38) >>> 16) & 0o170000;
  const extra = zip.subarray(at + entryLength + nameLength, at + entryLength + nameLength + extraLength);
  const stated = [24, 20, 42].map((field) => zip.readUInt32LE(at + field));
  const [unpackedBytes, packedBytes, offset] = withLarge(stated, extra);
  const name = rawName.toString(isUtf8(rawName) ? 'utf8' : 'latin1').replaceAll('\\', '/');
  return {
    name: withoutClimbing(name),
    kind: name.endsWith('/') ? 'folder' : mode === 0o120000 ? 'symlink' : 'file',
    encrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
    method: zip.readUInt16LE(at + 10),
    crc32: zip.readUInt32LE(at + 16),
    packedBytes: packedBytes!,
    unpackedBytes: unpackedBytes!,
    offset: offset!,
  };
}

const withoutClimbing = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');

/** Throws UnreadableFile for entries that share bytes: with such entries, a small file could unpack to any size. */
function checkApart(entries: readonly ZipEntry[], end: number): void {
  let from = end;
  for (const { offset, packedBytes } of [...entries].sort((a, b) => b.offset - a.offset)) {
    if (offset + localLength + packedBytes > from) throw corrupt('its entries overlap');
    from = offset;
  }
}

function packedBytesOf(zip: Buffer, { offset, packedBytes }: ZipEntry): Buffer {
  if (offset + localLength > zip.length || zip.readUInt32LE(offset) !== signatures.local) {
    throw corrupt('an entry is not at the offset in the directory');
  }
  const start = offset + localLength + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  if (start + packedBytes > zip.length) throw corrupt('an entry is cut short');
  return zip.subarray(start, start + packedBytes);
}

/** Unpacks a file in a zip file, but no more bytes than the directory states. Throws UnreadableFile. */
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
    throw new UnreadableFile('corrupt', 'it does not match the size or checksum in its archive');
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
