import { createCipheriv } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { findInputs } from '../../src/inputs/find/find-inputs.ts';
import { type GivenDocument, gatherInputs } from '../../src/inputs/gather-inputs.ts';
import type { Scan } from '../../src/inputs/pictures.ts';
import { readDocument } from '../../src/inputs/read-document.ts';
import { readHead } from '../../src/inputs/read-file.ts';
import { readInputs } from '../../src/inputs/read-inputs.ts';
import type { InputReading } from '../../src/inputs/reading.ts';
import { createPdf, createZip } from '../support/packed-files.ts';
import { createReading } from '../support/readings.ts';

function createFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const cwd = mkdtempSync(join(tmpdir(), 'documents-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

async function read(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<InputReading> = {}) {
  const { reading, texts } = createReading({ maxBytes: 200_000_000, ...more });
  const { skipped } = await readInputs(
    await findInputs({ paths: ['.'], cwd: createFolder(files), signal: reading.signal }),
    reading,
  );
  return { texts: texts(), skipped, counted: reading.total.bytes() };
}

/** Creates lines of 64 characters that hardly compress. */
const noise = (lines: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
    .update(Buffer.alloc(lines * 48))
    .toString('base64')
    .replace(/.(.{63})/g, '$1\n');

describe('a file on the disk', () => {
  it('that is packed and longer than one read is read completely', async () => {
    const text = noise(60_000);
    const packed = gzipSync(text);
    expect(packed.length).toBeGreaterThan(2_000_000);
    const { texts, counted } = await read({ 'a.log.gz': packed });
    expect(texts.map(([, unpacked]) => unpacked === text)).toEqual([true]);
    expect(counted).toBe(Buffer.byteLength(text));
  });

  it('that a reader must hold whole, and is longer than one read, is read completely', async () => {
    const text = noise(50_000);
    const { texts } = await read({ 'a.zip': createZip([{ name: 'a.log', content: text, stored: true }]) });
    expect(texts.map(([name, unpacked]) => [name, unpacked === text])).toEqual([['a.zip/a.log', true]]);
  });

  it('that fails in the middle gives the text before, a bomb nothing, and other files are complete', async () => {
    const bad = gzipSync(noise(60_000)).subarray(0, -100_000);
    const bomb = gzipSync(Buffer.alloc(17_000_000, 'a'));
    const long = noise(50_000);
    const files = { 'a.txt': 'first\n', 'b.gz': bad, 'c.txt': long, 'd.gz': bomb, 'e.txt': long, 'f.txt': 'last\n' };
    const { texts, skipped, counted } = await read(files);
    const kept = texts.find(([name]) => name === 'b.gz')?.[1] ?? '';
    expect(texts.map(([name]) => name)).toEqual(['a.txt', 'b.gz', 'c.txt', 'e.txt', 'f.txt']);
    expect(texts.map(([, text]) => text)).toEqual(['first\n', kept, long, long, 'last\n']);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['b.gz', 'corrupt'],
      ['d.gz', 'decompression bomb'],
    ]);
    expect(kept.length).toBeGreaterThan(100_000);
    expect(counted).toBe(11 + kept.length + 2 * long.length);
  });

  it('has the encoding that is set for text, except if its reader produces UTF-8', async () => {
    const said = 'The Caf\u00e9 is open.\n';
    const latin1 = Buffer.from(said, 'latin1');
    const page = `<html><meta charset="utf-8"><body>${said}</body>`;
    const files = {
      'a.gz': gzipSync(latin1),
      'b.zip': createZip([{ name: 'c.txt', content: latin1 }]),
      'd.html': page,
    };
    expect((await read(files, { encoding: 'latin1' })).texts.map(([, text]) => text)).toEqual(Array(3).fill(said));
  });

  it('that a reader must hold whole is skipped if it is longer than all text may be', async () => {
    const { skipped } = await read(
      { 'a.pdf': createPdf(['x'.repeat(50)]), 'b.txt': 'b' },
      createReading({ maxBytes: 100 }).reading,
    );
    expect(skipped).toEqual([{ name: 'a.pdf', reason: 'too large', detail: 'more than 100 bytes' }]);
  });
});

describe('text from a program', () => {
  const settings: Settings['inputs'] = {
    maxBytes: 1_000_000,
    encoding: 'utf-8',
    strict: false,
    allowUrls: false,
    maxUnpackRatio: 200,
    readTimeout: 60,
  };
  const gatherWith = (paths: readonly string[], documents: readonly GivenDocument[]) =>
    gatherInputs({
      paths,
      excludedFiles: [],
      givenDocuments: Promise.resolve(documents),
      cwd: '.',
      settings,
      store: {},
      onProgress: () => undefined,
      loadScanReader: null,
      signal: new AbortController().signal,
    });
  async function gather(...documents: GivenDocument[]) {
    const { store, close } = await gatherWith([], documents);
    onTestFinished(close);
    return store.documents.map(({ bytes }, index) => Buffer.from(store.read(index, 0, bytes)).toString());
  }
  const page = '<!doctype html><html><body>the pool</body></html>';
  async function* pieces(bytes: Uint8Array) {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }

  it('as bytes is recognised by its content, whole or in pieces', async () => {
    const pdf = createPdf(['seen']);
    const texts = await gather(
      { name: 'one', text: Buffer.from(page) },
      { name: 'two', text: pieces(pdf) },
      { name: 'three', text: pieces(gzipSync(noise(1000))) },
    );
    expect(texts).toEqual(['the pool\n', '[page 1]\nseen\n', noise(1000)]);
  });

  it('in pieces of one reused buffer is read completely, even if it is a picture', async () => {
    const png = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40${noise(4_000)}IEND`, 'latin1');
    async function* refilled() {
      const buffer = Buffer.alloc(100);
      for (let at = 0; at < png.length; at += 100) yield buffer.subarray(0, png.copy(buffer, 0, at));
    }
    const scans: Scan[] = [];
    const takeScan = async (scan: Scan) => scans.push(scan) > 0;
    const { reading } = createReading({ takeScan, takesPictures: true });
    const source = await readHead(refilled(), () => {}, reading.signal);
    await readDocument('a.png', source, reading, () => undefined);
    expect(scans.map(({ bytes }) => png.equals(bytes))).toEqual([true]);
  });

  it('is read no further once a path is missing, and is not waited for', async () => {
    let pulled = 0;
    async function* slow(ms: number) {
      for (;;) {
        pulled++;
        await setTimeout(ms, null, { ref: false });
        yield Buffer.alloc(1_000, 'a\n');
      }
    }
    for (const ms of [1, 100_000]) {
      const failing = gatherWith(['missing.md'], [{ name: 'pipe', text: slow(ms) }]);
      await expect(failing).rejects.toMatchObject({ code: 'input-missing' });
      const before = pulled;
      await setTimeout(30);
      expect(pulled).toBe(before);
    }
  });

  it('as a string, or with an encoding, is text', async () => {
    const texts = await gather(
      { name: 'a.html', text: page },
      { name: 'b.pdf', text: Buffer.from(page), encoding: 'utf-8' },
      { name: 'c', text: pieces(Buffer.from('%PDF-1.7 \u00e9', 'latin1')), encoding: 'latin1' },
    );
    expect(texts).toEqual([page, page, '%PDF-1.7 \u00e9']);
  });

  it('is released when it is skipped, so that nothing waits for its end', async () => {
    const ended: string[] = [];
    async function* endless(name: string, piece: Uint8Array) {
      try {
        for (;;) yield piece;
      } finally {
        ended.push(name);
      }
    }
    const bomb = gzipSync(Buffer.alloc(17_000_000));
    await gather(
      { name: 'binary', text: endless('binary', Buffer.alloc(1000)) },
      { name: 'bomb', text: endless('bomb', bomb) },
      { name: 'text', text: 'the pool' },
    );
    expect(ended).toEqual(['binary', 'bomb']);
  });
});
