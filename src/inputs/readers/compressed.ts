import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Reader, type ReadMember, type Source, UnreadableFile } from './reader.ts';
import { checkUnpacked } from './unpack-limit.ts';

/** Reads what gzip packed as if it were not packed. */
export const createGzipReader = (readMember: ReadMember): Reader => createReader(readMember, createGunzip);

/** Reads what zstd packed, where the platform can. */
export const createZstdReader = (readMember: ReadMember): Reader => createReader(readMember, createUnzstd);

/** What is known of a packed file once its bytes were taken. */
interface Unpacking {
  damage: string | null;
}

/** Of a file that is damaged, the text before the damage is read, and the file is named as corrupt all the same. */
const createReader = (readMember: ReadMember, createTransform: () => Transform): Reader => ({
  async *read({ name, bytes }, limits) {
    const state: Unpacking = { damage: null };
    const unpacked = unpackedBytes(bytes, limits.signal, createTransform(), state);
    for await (const part of readMember(unpackedName(name), { name, bytes: unpacked }, limits)) {
      yield part;
      if (!('reason' in part) && state.damage !== null) yield { name, reason: 'corrupt', detail: state.damage };
    }
  },
});

const unpackedName = (name: string): string => name.replace(/\.(?:gz|gzip|zst)$/i, '');

/** Asked of the running Node: the one that builds the program may be older. */
function createUnzstd(): Transform {
  const { createZstdDecompress } = process.getBuiltinModule('node:zlib') as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress) return createZstdDecompress();
  throw new UnreadableFile('unsupported', 'zstd needs Node 22.15 or later; unpack it with zstd -d');
}

/** @param state is told where the rest cannot be unpacked. */
async function* unpackedBytes(
  bytes: Source['bytes'],
  signal: AbortSignal,
  transform: Transform,
  state: Unpacking,
): AsyncIterable<Uint8Array> {
  let packed = 0;
  let unpacked = 0;
  const counted = async function* () {
    for await (const piece of bytes) {
      packed += piece.length;
      yield piece;
    }
  };
  try {
    // Its callback is there so that an error is not uncaught; the loop below meets it, too.
    for await (const piece of pipeline(Readable.from(counted()), transform, () => {}) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      unpacked += piece.length;
      checkUnpacked(unpacked, packed);
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isZlibError(error)) throw error;
    if (unpacked === 0) throw new UnreadableFile('corrupt', error.message);
    state.damage = `${error.message}; the text before it was read, ${unpacked} bytes`;
  }
}

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZLIB)/.test(String(error.code));
