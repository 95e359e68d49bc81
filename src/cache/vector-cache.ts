/**
 * Vectors on the disk, each in a file whose name is the key of its text: a mark, the numbers as this machine writes
 * them, and the first 16 bytes of the SHA-256 of the key and all that. A file from a machine of the other byte order has
 * another mark and is ignored.
 */
import { createHash } from 'node:crypto';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';
import type { Embedder } from '../providers/embedder.ts';
import type { VectorArchive } from '../run/text/embed.ts';
import { type CacheFile, createCaretaker, listCacheFiles, writeCacheFile } from './disk-cache.ts';

const mark = Uint32Array.of(0x724c4d77);
const sumBytes = 16;

/** Files that are written at once. */
const width = 16;

/** The key of a text: the first 32 hex digits of its SHA-256. */
const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const sumOf = (key: string, bytes: Uint8Array): Buffer =>
  createHash('sha256').update(key).update(bytes).digest().subarray(0, sumBytes);

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function encode(key: string, vector: Float32Array): Buffer {
  const body = Buffer.concat([bytesOf(mark), bytesOf(vector)]);
  return Buffer.concat([body, sumOf(key, body)]);
}

/** Returns the vector of a file; null when it is damaged. */
function decode(key: string, bytes: Buffer): Float32Array | null {
  const body = bytes.subarray(0, Math.max(0, bytes.length - sumBytes));
  const isWhole = sumOf(key, body).equals(bytes.subarray(body.length));
  if (!isWhole || body.length % 4 !== 0 || !body.subarray(0, 4).equals(bytesOf(mark))) return null;
  return new Float32Array(Uint8Array.from(body.subarray(4)).buffer);
}

const vectorsFolder = (cache: string): string => join(cache, 'vectors');

/** The folder of one version of one model. */
export const modelFolder = ({ name, model }: Pick<Embedder, 'name' | 'model'>, digest: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([name, model, digest]))
    .digest('hex')
    .slice(0, 16);

/** Lists the files of vectors of all models, those of earlier versions included; not foreign files. */
export const listVectorFiles = (cache: string): Promise<CacheFile[]> =>
  listCacheFiles(vectorsFolder(cache), /^[0-9a-f]{16}$/, /^[0-9a-f]{32}(-\d{1,4})?\.vec(\.\d+\.[0-9a-f]+\.tmp)?$/);

/** Removes all kept vectors. Returns their size, in bytes. Throws the system's error. */
export async function clearVectors(cache: string): Promise<number> {
  const files = await listVectorFiles(cache);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads the vector of a key; null when it is not kept, or damaged. */
function read(path: string, key: string): Float32Array | null {
  try {
    const vector = decode(key, readOwnFile(path, stateBytes));
    const now = new Date();
    utimes(path, now, now).catch(() => {}); // Only the order of removal depends on it.
    return vector;
  } catch {
    return null;
  }
}

/**
 * Creates a cache of vectors on the disk. Several processes may use it concurrently: files appear whole.
 * @param cache the cache's folder.
 * @param model the name of the folder in it, as `modelFolder` makes it.
 * @param maxBytes how large the vectors of all models may grow; those that were not used for longest go first.
 * @param warn told once when vectors cannot be kept; those that are kept already are still found.
 */
export function createVectorCache(
  cache: string,
  model: string,
  maxBytes: number,
  warn: (message: string) => void,
): VectorArchive {
  const folder = join(vectorsFolder(cache), model);
  const tidy = createCaretaker(() => listVectorFiles(cache), maxBytes);
  const pathOf = (key: string) => join(folder, `${key}.vec`);
  let isBroken = false;

  function giveUp({ code, message }: NodeJS.ErrnoException): void {
    if (!isBroken) warn(`vectors are not kept in ${folder}: ${code ?? message}`);
    isBroken = true;
  }

  return {
    async find(texts) {
      const found = texts.map((text, place) => [place, read(pathOf(keyOf(text)), keyOf(text))] as const);
      return new Map(found.flatMap(([place, vector]) => (vector === null ? [] : [[place, vector] as const])));
    },
    async keep(texts, vectors) {
      if (isBroken) return;
      const files = texts.map((text, place) => ({ key: keyOf(text), vector: vectors[place]! }));
      const write = async ({ key, vector }: (typeof files)[number]) => {
        const bytes = encode(key, vector);
        await writeCacheFile(pathOf(key), bytes);
        return bytes.length;
      };
      await mapConcurrent(files, width, new AbortController().signal, write)
        .then((sizes) => tidy(sizes.reduce((sum, size) => sum + size, 0)))
        .catch(giveUp);
    },
  };
}
