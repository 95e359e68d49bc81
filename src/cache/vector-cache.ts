/**
 * A file of vectors: a head of four whole numbers (a mark, the version, the numbers of a vector, the vectors), a key of
 * 16 bytes for each vector, the vectors, and the first 16 bytes of the SHA-256 of all that. Numbers are as this machine
 * writes them; a file from a machine of the other byte order has another mark and is ignored.
 */

import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnFile, readOwnFile, stateBytes } from '../base/files/own-file.ts';
import type { Embedder } from '../providers/embedder.ts';
import type { VectorArchive } from '../run/text/embed.ts';
import { createCacheWriter, listCacheFiles } from './disk-cache.ts';

const mark = 0x724c4d76;
const version = 1;
const headBytes = 16;
const keyBytes = 16;
const sumBytes = 16;

/** The key of a text: the first 32 hex digits of its SHA-256. */
export const vectorKeyOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * keyBytes);

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
const keysEnd = (count: number): number => headBytes + count * keyBytes;

/** Decodes the head of a file; null when it has none, or is of another version. */
function decodeHead(bytes: Uint8Array): { dimensions: number; count: number } | null {
  if (bytes.length < headBytes) return null;
  const [found, format, dimensions = 0, count = 0] = new Uint32Array(
    Uint8Array.from(bytes.subarray(0, headBytes)).buffer,
  );
  return found === mark && format === version ? { dimensions, count } : null;
}

/** Decodes the keys at the beginning of a file; none when it is damaged. Does not verify its checksum. */
function decodeKeys(bytes: Buffer): string[] {
  const count = decodeHead(bytes)?.count ?? 0;
  if (bytes.length < keysEnd(count)) return [];
  return Array.from({ length: count }, (_, place) => bytes.toString('hex', keysEnd(place), keysEnd(place + 1)));
}

/** Decodes a whole file; null when it is damaged. */
export function decodeVectors(bytes: Buffer) {
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

const vectorsFolder = (cache: string): string => join(cache, 'vectors');

/** The folder of one version of one model. */
export const modelFolder = ({ name, model }: Pick<Embedder, 'name' | 'model'>, digest: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([name, model, digest]))
    .digest('hex')
    .slice(0, 16);

/** Files with several vectors are read for their keys; the name of a file with one vector is its key. */
const fileName = /^([0-9a-f]{32})-(\d{1,4})\.vec$/;

/** Lists the files of vectors of all models; not foreign files. */
export const listVectorFiles = (cache: string) =>
  listCacheFiles(vectorsFolder(cache), /^[0-9a-f]{16}$/, /^[0-9a-f]{32}-\d{1,4}\.vec(\.\d+\.[0-9a-f]+\.tmp)?$/);

/** Removes all kept vectors. Returns their size, in bytes. Throws the system's error. */
export async function clearVectors(cache: string): Promise<number> {
  const files = await listVectorFiles(cache);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads the keys of a file of so many vectors; none when it is damaged or has gone. */
function readKeys(path: string, count: number): string[] {
  let file: number | null = null;
  try {
    file = openOwnFile(path);
    const bytes = Buffer.alloc(keysEnd(count));
    return decodeKeys(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)));
  } catch {
    return [];
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The file of each key. */
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

/** Reads the vectors of a file by key; none when it is damaged or has gone. */
function readVectorFile(path: string): ReadonlyMap<string, Float32Array> {
  try {
    const { keys, vectors } = decodeVectors(readOwnFile(path, stateBytes)) ?? { keys: [], vectors: [] };
    const now = new Date();
    if (keys.length > 0) utimes(path, now, now).catch(() => {}); // Only the order of removal depends on it.
    return new Map(keys.map((key, place) => [key, vectors[place]!]));
  } catch {
    return new Map();
  }
}

/**
 * Creates a cache of vectors on the disk. The vectors of a request share a file and are found by the hash of their
 * text. Several processes may use it concurrently: files appear whole, and what another process adds is found the next
 * time.
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
      // The run may need the same text again.
      const places = await directory;
      for (const key of keys) places?.set(key, path);
    },
  };
}
