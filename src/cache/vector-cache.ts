import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnFile, readOwnFile, stateBytes } from '../base/files/own-file.ts';
import type { Embedder } from '../providers/embedder.ts';
import type { VectorArchive } from '../run/text/embed.ts';
import { createCaretaker, writeCacheFile } from './caretaker.ts';
import type { CacheFile } from './entries.ts';
import { decodeKeys, decodeVectors, encodeVectors, keyOf, keysEnd } from './vector-file.ts';

const vectorsFolder = (cache: string): string => join(cache, 'vectors');

/** The folder of one version of one model. */
export const modelFolder = ({ name, model }: Pick<Embedder, 'name' | 'model'>, digest: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([name, model, digest]))
    .digest('hex')
    .slice(0, 16);

/** Files that hold several vectors are looked into; of one, the name says its key. */
const fileName = /^([0-9a-f]{32})-(\d{1,4})\.vec$/;
const draftName = /^[0-9a-f]{32}-\d{1,4}\.vec\.\d+\.[0-9a-f]+\.tmp$/;
const folderName = /^[0-9a-f]{16}$/;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Every file of vectors, of all models. What is not the cache's own, or goes meanwhile, is left out. */
export async function listVectorFiles(cache: string): Promise<CacheFile[]> {
  const root = vectorsFolder(cache);
  const found: CacheFile[] = [];
  for (const model of (await namesIn(root)).filter((name) => folderName.test(name))) {
    const names = (await namesIn(join(root, model))).filter((name) => fileName.test(name) || draftName.test(name));
    for (const path of names.map((name) => join(root, model, name))) {
      const file = await stat(path).catch(() => null);
      if (file) found.push({ path, bytes: file.size, usedAt: file.mtimeMs, isEntry: path.endsWith('.vec') });
    }
  }
  return found;
}

/** Removes all kept vectors. Returns how large they were, in bytes. Throws the system's error. */
export async function clearVectors(cache: string): Promise<number> {
  const files = await listVectorFiles(cache);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function opened(path: string): number | null {
  try {
    return openOwnFile(path);
  } catch {
    return null;
  }
}

/** The keys in a file of so many vectors; none when it is damaged or has gone. */
function readKeys(path: string, count: number): string[] {
  const file = opened(path);
  if (file === null) return [];
  try {
    const bytes = Buffer.alloc(keysEnd(count));
    return decodeKeys(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)));
  } catch {
    return [];
  } finally {
    closeSync(file);
  }
}

/** Which file holds which key. */
async function readDirectory(folder: string): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const name of await namesIn(folder)) {
    const [, key = '', count = '0'] = fileName.exec(name) ?? [];
    if (key === '') continue;
    const path = join(folder, name);
    for (const held of count === '1' ? [key] : readKeys(path, Number(count))) places.set(held, path);
  }
  return places;
}

function decoded(path: string): ReturnType<typeof decodeVectors> {
  try {
    return decodeVectors(readOwnFile(path, stateBytes));
  } catch {
    return null;
  }
}

/** The vectors of a file by key; none when it is damaged or has gone. */
function readVectorFile(path: string): ReadonlyMap<string, Float32Array> {
  const file = decoded(path);
  if (!file) return new Map();
  const now = new Date();
  utimes(path, now, now).catch(() => {}); // Only the order in which files go.
  return new Map(file.keys.map((key, place) => [key, file.vectors[place]!]));
}

/**
 * Vectors on the disk, those of one request in one file, found by the hash of their text. Several processes may use it
 * at once: a file takes its place whole, and what another process adds meanwhile is found the next time.
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
  let directory: Promise<Map<string, string>> | null = null;
  let isBroken = false;

  function giveUp({ code, message }: NodeJS.ErrnoException): void {
    if (isBroken) return;
    isBroken = true;
    warn(`vectors are not kept in ${folder}: ${code ?? message}`);
  }

  return {
    async find(texts) {
      directory ??= readDirectory(folder);
      const places = await directory;
      const keys = texts.map(keyOf);
      const paths = new Set(keys.flatMap((key) => places.get(key) ?? []));
      const files = new Map<string, Float32Array>();
      for (const path of paths) for (const [key, vector] of await readVectorFile(path)) files.set(key, vector);
      return new Map(keys.flatMap((key, place) => (files.has(key) ? [[place, files.get(key)!]] : [])));
    },
    async keep(texts, vectors) {
      if (isBroken) return;
      const keys = texts.map(keyOf);
      const name = keys.length === 1 ? keys[0]! : keyOf(keys.join());
      const path = join(folder, `${name}-${keys.length}.vec`);
      const bytes = encodeVectors(keys, vectors);
      await writeCacheFile(path, bytes)
        .then(() => tidy(bytes.length))
        .catch(giveUp);
      // The same text may come again in this very run.
      const places = await directory;
      for (const key of keys) places?.set(key, path);
    },
  };
}
