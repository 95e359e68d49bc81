import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearVectors,
  createVectorCache,
  decodeVectors,
  encodeVectors,
  listVectorFiles,
  modelFolder,
  vectorKeyOf,
} from '../../src/cache/vector-cache.ts';
import { tempFolder } from '../support/temp-folder.ts';

const model = modelFolder({ name: 'ollama', model: 'nomic' }, 'abc');

function open(folder: string, { maxBytes = 1_000_000, name = model } = {}) {
  const warnings: string[] = [];
  return { ...createVectorCache(folder, name, maxBytes, (message) => warnings.push(message)), warnings };
}

const vectorOf = (...numbers: number[]) => Float32Array.from(numbers);
const plain = (found: ReadonlyMap<number, Float32Array>) => [...found].map(([place, vector]) => [place, [...vector]]);
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** Creates a folder with the vectors of `a` and `b` in one file, and those of `c` in another. */
async function filled(): Promise<string> {
  const folder = tempFolder();
  const cache = open(folder);
  await cache.keep(['a', 'b'], [vectorOf(1, 2), vectorOf(3, 4)]);
  await cache.keep(['c'], [vectorOf(5, 6)]);
  return folder;
}

describe('kept vectors', () => {
  it('are found by their text, in the requested order', async () => {
    const cache = open(await filled());
    expect(plain(await cache.find(['c', 'x', 'a']))).toEqual([
      [0, [5, 6]],
      [2, [1, 2]],
    ]);
    expect(plain(await cache.find(['b', 'b']))).toEqual([
      [0, [3, 4]],
      [1, [3, 4]],
    ]);
    expect(await cache.find(['x'])).toEqual(new Map());
  });

  it('are found in the same run that stored them', async () => {
    const cache = open(tempFolder());
    expect(await cache.find(['a'])).toEqual(new Map());
    await cache.keep(['a', 'b'], [vectorOf(1), vectorOf(2)]);
    expect(plain(await cache.find(['b']))).toEqual([[0, [2]]]);
  });

  it('belong to one version of one model', async () => {
    const folder = await filled();
    const others = [
      modelFolder({ name: 'openai', model: 'nomic' }, 'abc'),
      modelFolder({ name: 'ollama', model: 'other' }, 'abc'),
      modelFolder({ name: 'ollama', model: 'nomic' }, 'abd'),
      modelFolder({ name: 'ollama', model: 'nomic' }, null),
    ];
    expect(new Set([model, ...others]).size).toBe(5);
    for (const name of others) expect(await open(folder, { name }).find(['a', 'c'])).toEqual(new Map());
  });

  it('hold no text, and only the user can read them', async () => {
    const folder = tempFolder();
    await open(folder).keep(['a secret sentence', 'another'], [vectorOf(1), vectorOf(2)]);
    const [path = ''] = pathsIn(folder);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path, 'latin1')).not.toContain('sentence');
  });

  it('are read back unchanged, for any finite numbers', async () => {
    const row = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 9 }), (rows) => {
        const vectors = rows.map((numbers) => Float32Array.from(numbers));
        const keys = rows.map((_, place) => vectorKeyOf(String(place)));
        expect(decodeVectors(encodeVectors(keys, vectors))).toEqual({ keys, vectors });
      }),
    );
  });
});

describe('damaged files', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut in the head', (bytes) => bytes.subarray(0, 9)],
    ['cut in the keys', (bytes) => bytes.subarray(0, 30)],
    ['cut in the vectors', (bytes) => bytes.subarray(0, -20)],
    ['longer', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
    ['of another version', (bytes) => Buffer.from(bytes).fill(9, 4, 5)],
    ['of a huge count', (bytes) => Buffer.from(bytes).fill(255, 12, 16)],
    [
      'with one bit changed',
      (bytes) => Buffer.from(bytes).fill(bytes.at(-18)! ^ 1, bytes.length - 18, bytes.length - 17),
    ],
    ['with another key', (bytes) => Buffer.from(bytes).fill(bytes[20]! ^ 1, 20, 21)],
    ['from a machine of the other byte order', (bytes) => Buffer.from(bytes).subarray(0, 16).swap32()],
  ])('%s: ignored, and replaced', async (_, damage) => {
    const folder = await filled();
    for (const path of pathsIn(folder)) writeFileSync(path, damage(readFileSync(path)));
    const cache = open(folder);
    expect(plain(await cache.find(['a', 'b', 'c']))).toEqual([]);
    await cache.keep(['a', 'b'], [vectorOf(1, 2), vectorOf(3, 4)]);
    expect(plain(await open(folder).find(['b']))).toEqual([[0, [3, 4]]]);
    expect(cache.warnings).toEqual([]);
  });

  it('foreign files are left unchanged', async () => {
    const folder = await filled();
    const root = join(folder, 'vectors', model);
    const names = ['notes.txt', 'x-1.vec', `${'0'.repeat(32)}-99999999999.vec`];
    for (const name of names) writeFileSync(join(root, name), 'mine');
    expect(plain(await open(folder).find(['a']))).toEqual([[0, [1, 2]]]);
    await clearVectors(folder);
    expect(readdirSync(root).sort()).toEqual([...names].sort());
  });
});

describe('the size of stored vectors', () => {
  const vector = new Float32Array(250);

  it('stays within its limit over all models; the least recently used entries are removed first', async () => {
    const folder = tempFolder();
    const old = open(folder, { name: 'a'.repeat(16), maxBytes: 20_000 });
    for (let number = 0; number < 5; number++) await old.keep([`${number}`], [vector]);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const { path } of await listVectorFiles(folder)) utimesSync(path, anHourAgo, anHourAgo);
    await open(folder, { name: 'a'.repeat(16) }).find(['3']);
    const cache = open(folder, { maxBytes: 20_000 });
    for (let number = 0; number < 14; number++) {
      await cache.keep([`new ${number}`], [vector]);
      const files = await listVectorFiles(folder);
      expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(20_000);
    }
    const again = open(folder, { name: 'a'.repeat(16) });
    expect([...(await again.find(['0', '1', '3'])).keys()]).toEqual([2]);
    expect([...(await open(folder).find(['new 13'])).keys()]).toEqual([0]);
  });

  it('is shared by many concurrent writers', async () => {
    const folder = tempFolder();
    const caches = Array.from({ length: 6 }, () => open(folder));
    const texts = Array.from({ length: 20 }, (_, number) => `${number}`);
    await Promise.all(caches.flatMap((cache) => texts.map((text) => cache.keep([text, `${text}!`], [vector, vector]))));
    expect((await open(folder).find(texts)).size).toBe(20);
    expect(pathsIn(folder).filter((path) => !path.endsWith('.vec'))).toEqual([]);
    expect(caches.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('leads to one report if they cannot be stored', async () => {
    const folder = join(tempFolder({ file: 'x' }), 'file');
    const cache = open(folder);
    await cache.keep(['a'], [vector]);
    await cache.keep(['b'], [vector]);
    expect(cache.warnings).toEqual([expect.stringMatching(/^vectors are not kept in .*: (ENOTDIR|EEXIST)$/)]);
    expect(await cache.find(['a'])).toEqual(new Map());
  });
});
