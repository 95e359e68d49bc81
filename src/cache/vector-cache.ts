/**
 * Format of a file of vectors: a head of four whole numbers (mark, version, vector length, number of vectors), a key
 * for each vector, the vectors, and a checksum of everything before it. Numbers have this machine's byte order. A file
 * with the other byte order has a different mark and is ignored.
 */

import { createHash } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwnFile, readOwnHead, stateBytes } from '../base/files/own-file.ts';
import { sha256 } from '../base/sha256.ts';
import type { Embedder } from '../providers/embedder.ts';
import type { VectorArchive } from '../run/text/embed.ts';
import { createCacheWriter, listCacheFiles } from './disk-cache.ts';

const mark = 0x724c4d76;
const version = 1;
const headBytes = 16;
const keyBytes = 16;
const sumBytes = 16;

const sumOf = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest().subarray(0, sumBytes);

export const vectorKeyOf = (text: string): string => sha256(text, 2 * keyBytes);

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Encodes vectors of equal length, each with its key, as a file. */
export function encodeVectors(keys: readonly string[], vectors: readonly Float32Array[]): Buffer {
  const head = Uint32Array.of(mark, version, vectors[0]?.length ?? 0, vectors.length);
  const body = [bytesOf(head), ...keys.map((key) => Buffer.from(key, 'hex')), ...vectors.map(bytesOf)];
  const whole = Buffer.concat(body);
  return Buffer.concat([whole, sumOf(whole)]);
}

const keysEnd = (count: number): number => headBytes + count * keyBytes;

/** Decodes the head and the keys of a file; null if the head is not valid. Does not verify the checksum. */
function decodeKeys(bytes: Buffer) {
  if (bytes.length < headBytes) return null;
  const head = new Uint32Array(Uint8Array.from(bytes.subarray(0, headBytes)).buffer);
  const [found, format, dimensions = 0, count = 0] = head;
  if (found !== mark || format !== version || bytes.length < keysEnd(count)) return null;
  const keys = Array.from({ length: count }, (_, at) => bytes.toString('hex', keysEnd(at), keysEnd(at + 1)));
  return { dimensions, keys };
}

/** Decodes a whole file; null if it is damaged. */
export function decodeVectors(bytes: Buffer) {
  const decoded = decodeKeys(bytes);
  if (decoded === null) return null;
  const { dimensions, keys } = decoded;
  const start = keysEnd(keys.length);
  const end = start + 4 * keys.length * dimensions;
  if (bytes.length !== end + sumBytes || !sumOf(bytes.subarray(0, end)).equals(bytes.subarray(end))) return null;
  const numbers = new Float32Array(Uint8Array.from(bytes.subarray(start, end)).buffer);
  return { keys, vectors: keys.map((_, at) => numbers.subarray(at * dimensions, (at + 1) * dimensions)) };
}

const vectorsFolder = (cache: string): string => join(cache, 'vectors');

/** Returns the folder name for one version of one model. */
export const modelFolder = ({ name, model }: Pick<Embedder, 'name' | 'model'>, digest: string | null): string =>
  sha256(JSON.stringify([name, model, digest]), 16);

/** Matches file names: the key of a single vector or a hash of several keys, and the number of vectors. */
const fileName = /^([0-9a-f]{32})-(\d{1,4})\.vec$/;

/** Lists the files of vectors of all models. */
export const listVectorFiles = (cache: string) =>
  listCacheFiles(vectorsFolder(cache), /^[0-9a-f]{16}$/, /^[0-9a-f]{32}-\d{1,4}\.vec(\.\d+\.[0-9a-f]+\.tmp)?$/);

/** Removes all stored vectors. Returns their size in bytes. Throws the system's error. */
export async function clearVectors(cache: string): Promise<number> {
  const files = await listVectorFiles(cache);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function readKeys(path: string, count: number): readonly string[] {
  try {
    return decodeKeys(readOwnHead(path, keysEnd(count)))?.keys ?? [];
  } catch {
    return [];
  }
}

async function readDirectory(folder: string): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, key = '', count = '0'] = fileName.exec(name) ?? [];
    if (key === '') continue;
    const path = join(folder, name);
    for (const held of count === '1' ? [key] : readKeys(path, Number(count))) places.set(held, path);
  }
  return places;
}

function readVectorFile(path: string): ReadonlyMap<string, Float32Array> {
  try {
    const { keys, vectors } = decodeVectors(readOwnFile(path, stateBytes)) ?? { keys: [], vectors: [] };
    const now = new Date();
    if (keys.length > 0) utimes(path, now, now).catch(() => {}); // The least recently used files are removed first.
    return new Map(keys.map((key, place) => [key, vectors[place]!]));
  } catch {
    return new Map();
  }
}

/**
 * Creates a cache of vectors on the disk. Several processes may use it concurrently. A vector that another process adds
 * after the first `find` is not found.
 * @param model the name of the model's folder, from `modelFolder`.
 * @param maxBytes size limit for the vectors of all models.
 * @param warn called once if vectors cannot be stored.
 */
export function createVectorCache(
  cache: string,
  model: string,
  maxBytes: number,
  warn: (message: string) => void,
): VectorArchive {
  const folder = join(vectorsFolder(cache), model);
  const write = createCacheWriter(
    () => listVectorFiles(cache),
    maxBytes,
    (why) => warn(`vectors are not kept in ${folder}: ${why}`),
  );
  let directory: Promise<Map<string, string>> | null = null;

  return {
    async find(texts) {
      directory ??= readDirectory(folder);
      const places = await directory;
      const keys = texts.map(vectorKeyOf);
      const paths = new Set(keys.flatMap((key) => places.get(key) ?? []));
      const files = new Map<string, Float32Array>();
      for (const path of paths) for (const [key, vector] of readVectorFile(path)) files.set(key, vector);
      return new Map(keys.flatMap((key, place) => (files.has(key) ? [[place, files.get(key)!]] : [])));
    },
    async keep(texts, vectors) {
      const keys = texts.map(vectorKeyOf);
      const name = keys.length === 1 ? keys[0]! : vectorKeyOf(keys.join());
      const path = join(folder, `${name}-${keys.length}.vec`);
      await write(path, encodeVectors(keys, vectors));
      // The run may need these vectors again, so `find` must know their file.
      const places = await directory;
      for (const key of keys) places?.set(key, path);
    },
  };
}
