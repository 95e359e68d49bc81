import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeChecked } from '../../src/base/checked-json.ts';
import { cacheStats, clearCache, createDiskCache, listEntries } from '../../src/cache/disk-cache.ts';
import type { KeptReply } from '../../src/run/door/archive.ts';
import type { CallIdentity } from '../../src/run/door/call-identity.ts';
import { tempFolder } from '../support/temp-folder.ts';

const hashOf = (number: number) => number.toString(16).padStart(16, '0');

/** Returns a call; different numbers give different hashes and shelves. */
const call = (number: number): CallIdentity => ({
  place: '0 answer 1',
  prompt: 'answer',
  hash: `${number.toString(16).padStart(2, '0')}${hashOf(number).slice(2)}`,
  parts: { model: 'm', number: String(number) },
  question: 'Why?',
});

const reply = (text: string): KeptReply => ({ text, tokens: { input: 3, output: 2 }, finish: 'stop', tries: 1 });

/** Encodes an entry in the form of its file. */
const whole = (entry: object) => encodeChecked(JSON.stringify(entry));

function open(folder = join(tempFolder(), 'cache'), maxBytes = 1_000_000) {
  const warnings: string[] = [];
  return { folder, warnings, cache: createDiskCache(folder, maxBytes, (message) => warnings.push(message)) };
}

const pathsIn = async (folder: string) => (await listEntries(folder)).map(({ path }) => path);

describe('the disk cache', () => {
  it('returns a stored reply unchanged, also to the next process', async () => {
    const { folder, cache } = open();
    expect(await cache.find(call(1))).toBeNull();
    await cache.keep(call(1), reply('20, "naïve" \u2028 \ud83d\ude00'), true);
    expect(await open(folder).cache.find(call(1))).toEqual(reply('20, "naïve" \u2028 \ud83d\ude00'));
    expect(await cache.find(call(2))).toBeNull();
  });

  it('stores no reply that could not be read', async () => {
    const { folder, cache } = open();
    await cache.keep(call(1), reply('Hm.'), false);
    expect(await cache.find(call(1))).toBeNull();
    expect(await cacheStats(folder)).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('does not confuse replies of different requests with the same hash', async () => {
    const { cache } = open();
    await cache.keep(call(1), reply('20'), true);
    expect(await cache.find({ ...call(1), parts: { model: 'another' } })).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['half of it', whole({ version: 2, parts: call(1).parts, reply: reply('x') }).slice(0, 60)],
    ['null', 'null'],
    ['no checksum', JSON.stringify({ version: 2, parts: call(1).parts, reply: reply('x') })],
    [
      'another reply than its checksum',
      whole({ version: 2, parts: call(1).parts, reply: reply('x') }).replace('x', 'y'),
    ],
    ['another version', whole({ version: 1, parts: call(1).parts, reply: reply('x') })],
    ['no reply', whole({ version: 2, parts: call(1).parts })],
    ['a reply without tokens', whole({ version: 2, parts: call(1).parts, reply: { text: 'x', finish: 'stop' } })],
  ])('ignores an entry with %s, and writes it again', async (_, text) => {
    const { folder, cache } = open();
    await cache.keep(call(1), reply('20'), true);
    const [path] = await pathsIn(folder);
    writeFileSync(path!, text);
    expect(await cache.find(call(1))).toBeNull();
    await cache.keep(call(1), reply('21'), true);
    expect(await cache.find(call(1))).toEqual(reply('21'));
  });

  it('is private', async () => {
    const { folder, cache } = open();
    await cache.keep(call(1), reply('20'), true);
    const [path] = await pathsIn(folder);
    expect(statSync(path!).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path!, '..'))).toHaveLength(1);
  });

  it('never grows above its size, and removes the least recently used entries', async () => {
    const { folder, cache } = open(undefined, 10_000);
    const text = 'x'.repeat(700);
    for (let number = 1; number <= 10; number++) {
      await cache.keep(call(number), reply(text), true);
      const [path] = (await pathsIn(folder)).filter((one) => one.includes(call(number).hash));
      utimesSync(path!, number, number);
    }
    expect(await cache.find(call(1))).not.toBeNull(); // It was written first, and is used last.
    await expect.poll(async () => (await cacheStats(folder)).newestUse!.getTime()).toBeGreaterThan(1e9);
    for (let number = 11; number <= 14; number++) {
      await cache.keep(call(number), reply(text), true);
      expect((await cacheStats(folder)).bytes).toBeLessThanOrEqual(10_000);
    }
    const kept = await Promise.all([1, 2, 3, 10, 14].map(async (number) => (await cache.find(call(number))) !== null));
    expect(kept).toEqual([true, false, false, true, true]);
  });

  it('counts earlier entries, and those that others have left incomplete', async () => {
    const { folder, cache } = open();
    for (let number = 1; number <= 9; number++) await cache.keep(call(number), reply('x'.repeat(1_000)), true);
    writeFileSync(join(folder, '01', `${call(1).hash}.json.77.abcd.tmp`), 'x'.repeat(2_000));
    utimesSync(join(folder, '01', `${call(1).hash}.json.77.abcd.tmp`), 1, 1);
    expect(await cacheStats(folder)).toMatchObject({ entries: 9 });
    await open(folder, 5_000).cache.keep(call(10), reply('y'), true);
    const { bytes } = await cacheStats(folder);
    expect(bytes).toBeGreaterThan(2_500);
    expect(bytes).toBeLessThanOrEqual(5_000);
    expect((await pathsIn(folder)).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });

  it('reports once that it cannot write, and then stays silent', async () => {
    const folder = join(tempFolder({ file: '' }), 'file', 'cache');
    const { cache, warnings } = open(folder);
    await Promise.all([1, 2, 3].map((number) => cache.keep(call(number), reply('20'), true)));
    await cache.keep(call(4), reply('20'), true);
    expect(warnings).toEqual([expect.stringContaining(folder)]);
    expect(await cache.find(call(1))).toBeNull();
  });

  it('continues when it is cleared meanwhile', async () => {
    const { folder, cache, warnings } = open();
    const clearing = (async () => {
      for (let round = 0; round < 30; round++) await clearCache(folder);
    })();
    await Promise.all(
      Array.from({ length: 100 }, (_, number) => cache.keep(call(number % 7), reply(`reply ${number}`), true)),
    );
    await clearing;
    expect(warnings).toEqual([]);
    await cache.keep(call(1), reply('after'), true);
    expect(await cache.find(call(1))).toEqual(reply('after'));
  });
});

describe('clearing', () => {
  it('removes all entries, including empty and incomplete ones, and nothing else', async () => {
    const { folder, cache } = open();
    await cache.keep(call(1), reply('20'), true);
    writeFileSync(join(folder, '01', `${hashOf(0xabc)}.json`), '');
    writeFileSync(join(folder, '01', `${hashOf(0xabc)}.json.1.ab.tmp`), '{');
    const foreign = [join(folder, 'settings.json'), join(folder, '01', 'notes.json')];
    for (const path of foreign) writeFileSync(path, '{}');
    expect(await clearCache(folder)).toMatchObject({ entries: 2 });
    expect(await pathsIn(folder)).toEqual([]);
    expect(foreign.map((path) => readFileSync(path, 'utf8'))).toEqual(['{}', '{}']);
    expect(await clearCache(folder)).toEqual({ entries: 0, bytes: 0, oldestUse: null, newestUse: null });
  });

  it('does nothing without a cache', async () => {
    expect(await clearCache(join(tempFolder(), 'none'))).toMatchObject({ entries: 0, bytes: 0 });
  });
});
