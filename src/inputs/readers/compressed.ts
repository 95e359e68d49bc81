import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { unpackedName } from '../../context/chunkers/languages.ts';
import { readUnpacked } from './damage.ts';
import { type Reader, type ReaderSource, type ReadLimits, type ReadMember, UnreadableFile } from './reader.ts';
import { checkUnpacked } from './unpack-limit.ts';

const transforms = { gzip: createGunzip, zstd: createUnzstd };

/** Creates a reader that unpacks a file and passes its content to `readMember`. zstd needs Node 22.15 or later. */
export const createUnpackingReader = (format: keyof typeof transforms, readMember: ReadMember): Reader => ({
  read({ name, bytes }, limits) {
    const unpacked = unpackedBytes(bytes, limits, transforms[format]());
    return readUnpacked(readMember, unpackedName(name), { name, bytes: unpacked }, limits);
  },
});

/** Looks zstd up at run time, because the Node that builds the program may lack it. */
function createUnzstd(): Transform {
  const { createZstdDecompress } = process.getBuiltinModule('node:zlib') as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress) return createZstdDecompress();
  throw new UnreadableFile('unsupported', 'zstd needs Node 22.15 or later; unpack it with zstd -d');
}

async function* unpackedBytes(bytes: ReaderSource['bytes'], limits: ReadLimits, transform: Transform) {
  const { maxUnpackRatio, signal } = limits;
  let packed = 0;
  let unpacked = 0;
  const counted = async function* () {
    for await (const piece of bytes) {
      packed += piece.length;
      yield piece;
    }
  };
  try {
    // The loop receives errors. Without a callback, each error would also be reported as uncaught.
    for await (const piece of pipeline(Readable.from(counted()), transform, () => {}) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      unpacked += piece.length;
      checkUnpacked(unpacked, packed, maxUnpackRatio);
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isZlibError(error) ? new UnreadableFile('corrupt', error.message) : error;
  }
}

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZLIB)/.test(String(error.code));
