import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { headBytes } from '../../../src/inputs/decode.ts';
import { readDocument } from '../../../src/inputs/read-document.ts';
import { wholeSource } from '../../../src/inputs/read-file.ts';
import { chooseReader } from '../../../src/inputs/readers/index.ts';
import { createDocx, createNotebook, createPdf, createZip, type ZipMember } from '../../support/packed-files.ts';
import { createReading } from '../../support/readings.ts';

const sentence = 'The pool has 4 connections.\n';

async function read(name: string, bytes: Buffer, maxBytes = 100_000_000, signal = new AbortController().signal) {
  const { reading, texts } = createReading({ maxBytes, signal });
  const { skipped } = await readDocument(name, wholeSource(bytes), reading, null);
  if (texts().length === 0) expect([reading.total.bytes(), reading.store.chunkCount]).toEqual([0, 0]);
  return { texts: texts(), skipped };
}

const noise = Array.from({ length: 5000 }, (_, line) => `${line} ${Math.sin(line)}`).join('\n');

const zipOf = (...members: ZipMember[]) => read('a.zip', createZip(members));

describe('gzip', () => {
  it('becomes its unpacked content, under the name of the file', async () => {
    expect(await read('log.txt.gz', gzipSync(sentence))).toEqual({ texts: [['log.txt.gz', sentence]], skipped: [] });
  });

  it('of several parts gives all of them', async () => {
    const parts = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
    expect((await read('stdin', parts)).texts).toEqual([['stdin', 'one\ntwo\n']]);
  });

  it('of a file of another format than text is read as that file', async () => {
    expect((await read('a.pdf.gz', gzipSync(createPdf(['seen'])))).texts).toEqual([['a.pdf.gz', '[page 1]\nseen\n']]);
  });

  const log = gzipSync(noise);
  it.each([
    ['that is cut short', log.subarray(0, log.length / 2), 10_000],
    ['with a wrong checksum', Buffer.concat([log.subarray(0, -8), Buffer.alloc(8)]), 100_000],
  ])('%s gives the text before the damage, and is named as corrupt', async (_, bytes, least) => {
    const { texts, skipped } = await read('a.gz', bytes);
    const [[name, text]] = texts as [[string, string]];
    expect(name).toBe('a.gz');
    expect(noise.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThanOrEqual(least);
    const detail = expect.stringContaining(`the ${text.length} bytes before the damage were read`);
    expect(skipped).toEqual([{ name: 'a.gz', reason: 'corrupt', detail }]);
  });

  it.each([
    ['that is cut within its header', log.subarray(0, 15), 'corrupt'],
    [
      'with a damaged middle',
      Buffer.concat([log.subarray(0, 5000), Buffer.alloc(5000), log.subarray(10_000)]),
      'corrupt',
    ],
    ['that is none', Buffer.from('plain'), 'corrupt'],
    ['of nothing', gzipSync(''), 'empty'],
    ['of binary bytes', gzipSync(Buffer.alloc(2000)), 'binary'],
    ['in gzip', gzipSync(gzipSync('x'.repeat(1000))), 'nested archive'],
    ['that unpacks to far more than its size', gzipSync(Buffer.alloc(17_000_000, 'a')), 'decompression bomb'],
  ])('%s is named as such', async (_, bytes, reason) => {
    expect(await read('a.gz', bytes)).toMatchObject({ texts: [], skipped: [{ name: 'a.gz', reason }] });
  });

  it('that unpacks to more than the input may hold is an error, not a cut', async () => {
    await expect(read('a.gz', gzipSync(sentence.repeat(1000)), 10_000)).rejects.toMatchObject({
      code: 'input-too-large',
    });
  });

  it('stops when it is aborted', async () => {
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(read('a.gz', gzipSync(sentence), 1000, stop)).rejects.toThrow('enough');
  });
});

describe('a file that unpacks to far more than its size', () => {
  const content = Buffer.alloc(17_000_000, `${'a'.repeat(999)}\n`);
  it.each([
    ['a.gz', gzipSync(content)],
    ['a.zip', createZip([{ name: 'a', content }])],
  ])('is read if the setting allows it, and the note names the setting: %s', async (name, bytes) => {
    const { skipped } = await read(name, bytes);
    const detail =
      'it unpacks to more than 200 times its size; to read it, set RLM_MAX_UNPACK_RATIO=2000 (inputs.maxUnpackRatio)';
    expect(skipped).toEqual([{ name, reason: 'decompression bomb', detail }]);
    const { reading } = createReading({ maxBytes: 100_000_000, maxUnpackRatio: 2000 });
    expect((await readDocument(name, wholeSource(bytes), reading, null)).skipped).toEqual([]);
    expect(reading.store.totalBytes).toBe(17_000_000);
  });
});

describe('zstd', () => {
  const zlib = process.getBuiltinModule('node:zlib') as { zstdCompressSync?: (text: string) => Buffer };

  it('is read if the platform can read it, and otherwise named', async () => {
    const packed = zlib.zstdCompressSync?.(sentence) ?? Buffer.from('28b52ffd', 'hex');
    const { texts, skipped } = await read('a.zst', packed);
    if (zlib.zstdCompressSync) expect(texts).toEqual([['a.zst', sentence]]);
    else
      expect(skipped).toMatchObject([
        { name: 'a.zst', reason: 'unsupported', detail: expect.stringContaining('Node') },
      ]);
  });
});

describe('a zip file', () => {
  it('gives the files in it, named below it, each read in its format', async () => {
    const { texts, skipped } = await zipOf(
      { name: 'notes/a.txt', content: sentence },
      { name: 'stored.md', content: 'stored\n', stored: true },
      { name: 'folder/', content: '' },
      { name: 'docs/b.pdf', content: createPdf(['seen']) },
      { name: 'c.docx', content: createDocx(['written']) },
      { name: 'd.ipynb', content: createNotebook([{ cell_type: 'code', source: '1' }]) },
      { name: 'wide.txt', content: Buffer.from('\ufeffCafé', 'utf16le') },
    );
    expect(texts).toEqual([
      ['a.zip/notes/a.txt', sentence],
      ['a.zip/stored.md', 'stored\n'],
      ['a.zip/docs/b.pdf', '[page 1]\nseen\n'],
      ['a.zip/c.docx', 'written\n'],
      ['a.zip/d.ipynb', '[cell 1: code]\n1\n'],
      ['a.zip/wide.txt', 'Café'],
    ]);
    expect(skipped).toEqual([]);
  });

  it('with very many files can be interrupted', async () => {
    const controller = new AbortController();
    const members = Array.from({ length: 30_000 }, (_, at) => ({ name: `${at}.txt`, content: 'a', stored: true }));
    const zip = createZip(members);
    setTimeout(() => controller.abort(new Error('enough')), 10);
    await expect(read('a.zip', zip, undefined, controller.signal)).rejects.toThrow('enough');
  });

  it('leaves out files that commonly hold secrets, and their copies', async () => {
    const names = ['id_rsa', 'conf/server.pem.bak', 'credentials.json.gz', 'pem.md'];
    const { texts, skipped } = await zipOf(...names.map((name) => ({ name, content: sentence })));
    expect(texts.map(([name]) => name)).toEqual(['a.zip/pem.md']);
    expect(skipped.map(({ reason }) => reason)).toEqual(['likely secret', 'likely secret', 'likely secret']);
  });

  it('distinguishes two files of one name, even if the names are equal only without unsafe parts', async () => {
    const names = ['a.md', 'a.md', 'a (2).md', 'x/../a.md', '../b/c', 'b/c', 'b\\c', '.hidden', '.hidden'];
    const { texts } = await zipOf(...names.map((name, at) => ({ name, content: `${at}\n` })));
    expect(texts.map(([name]) => name)).toEqual([
      'a.zip/a.md',
      'a.zip/a (2).md',
      'a.zip/a (2) (2).md',
      'a.zip/x/a.md',
      'a.zip/b/c',
      'a.zip/b/c (2)',
      'a.zip/b/c (3)',
    ]);
  });

  it('gives the readable files and names the rest', async () => {
    const { texts, skipped } = await zipOf(
      { name: 'a.txt', content: sentence },
      { name: 'secret.txt', content: 'x', encrypted: true },
      { name: 'link', content: '/etc/passwd', symlink: true },
      { name: 'logo.png', content: Buffer.alloc(1000) },
      { name: 'empty.txt', content: '' },
      { name: 'bad.pdf', content: '%PDF-1.4 no' },
      { name: 'inner.zip', content: createZip([]) },
      { name: 'inner.gz', content: gzipSync('x') },
      { name: '.hidden', content: 'x' },
      { name: '__MACOSX/a.txt', content: 'x' },
    );
    expect(texts).toEqual([['a.zip/a.txt', sentence]]);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['a.zip/secret.txt', 'encrypted'],
      ['a.zip/link', 'symlink'],
      ['a.zip/logo.png', 'binary'],
      ['a.zip/empty.txt', 'empty'],
      ['a.zip/bad.pdf', 'corrupt'],
      ['a.zip/inner.zip', 'nested archive'],
      ['a.zip/inner.gz', 'nested archive'],
    ]);
  });

  it('whose directory has fields of 64 bits is read', async () => {
    const { texts, skipped } = await read('a.zip', createZip([{ name: 'b.txt', content: 'first' }], true));
    expect([texts, skipped]).toEqual([[['a.zip/b.txt', 'first']], []]);
  });

  it('with a damaged file gives the text before the damage, names that file as corrupt, and gives the others', async () => {
    const zip = createZip([
      { name: 'cut.txt', content: noise },
      { name: 'changed.txt', content: noise, stored: true },
      { name: 'whole.txt', content: sentence },
    ]);
    zip[30_000] = zip[30_000]! ^ 0xff;
    const changed = zip.indexOf(noise.slice(0, 100));
    zip[changed + noise.length - 1] = 0x3f;
    const { texts, skipped } = await read('a.zip', zip);
    const [[, cut], [, altered], [, whole]] = texts as [[string, string], [string, string], [string, string]];
    expect(texts.map(([name]) => name)).toEqual(['a.zip/cut.txt', 'a.zip/changed.txt', 'a.zip/whole.txt']);
    expect(cut.length).toBeGreaterThan(10_000);
    expect(noise.startsWith(cut.slice(0, 10_000))).toBe(true);
    expect(altered).toBe(`${noise.slice(0, -1)}?`);
    expect(whole).toBe(sentence);
    const detail = (text: string) => expect.stringContaining(`the ${text.length} bytes before the damage were read`);
    expect(skipped).toEqual([
      { name: 'a.zip/cut.txt', reason: 'corrupt', detail: detail(cut) },
      { name: 'a.zip/changed.txt', reason: 'corrupt', detail: detail(altered) },
    ]);
  });

  it('gives no name outside it', async () => {
    const { texts } = await zipOf({ name: '../../etc/passwd', content: 'a' }, { name: '..\\b\\.\\c', content: 'b' });
    expect(texts.map(([name]) => name)).toEqual(['a.zip/etc/passwd', 'a.zip/b/c']);
  });

  it.each([
    ['that unpacks to far more than its size', createZip([{ name: 'a', content: Buffer.alloc(17_000_000) }])],
    [
      'of many files that together do',
      createZip(Array.from({ length: 17 }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(1_000_000) }))),
    ],
  ])('%s is skipped as a whole', async (_, bytes) => {
    expect(await read('a.zip', bytes)).toMatchObject({
      texts: [],
      skipped: [{ name: 'a.zip', reason: 'decompression bomb' }],
    });
  });

  it('with a file that is larger than it states yields only the stated size', async () => {
    const members = [
      { name: 'lie.txt', content: 'x'.repeat(4_000_000), declaredBytes: 100 },
      { name: 'b.txt', content: 'b' },
    ];
    const { texts, skipped } = await zipOf(...members);
    expect(texts).toEqual([['a.zip/b.txt', 'b']]);
    expect(skipped).toMatchObject([{ name: 'a.zip/lie.txt', reason: 'corrupt' }]);
  });

  it('whose entries share their bytes is refused', async () => {
    const zip = createZip([
      { name: 'a', content: 'x'.repeat(5000) },
      { name: 'b', content: 'y'.repeat(5000) },
    ]);
    const second = zip.lastIndexOf('PK\x01\x02');
    zip.writeUInt32LE(0, second + 42);
    expect((await read('a.zip', zip)).skipped).toMatchObject([{ name: 'a.zip', reason: 'corrupt' }]);
  });

  const sound = createZip([{ name: 'a.txt', content: sentence.repeat(50) }]);
  it('that is damaged anywhere gives its text or names what cannot be read, and nothing else', async () => {
    for (let at = 0; at < sound.length; at++) {
      const damaged = Buffer.from(sound);
      damaged[at] = damaged[at]! ^ 0xff;
      const { texts, skipped } = await read('a.zip', damaged);
      if (skipped.length === 0)
        expect(texts.map(([, text]) => text).join('')).toMatch(new RegExp(`^(${sentence.repeat(50)})?$`));
    }
  });

  it('that is cut short anywhere is named', async () => {
    for (let length = 1; length < sound.length; length++) {
      expect((await read('a.zip', sound.subarray(0, length))).skipped).toMatchObject([
        { name: 'a.zip', reason: 'corrupt' },
      ]);
    }
  });

  it('that is piped in and is a Word document is read as one', async () => {
    expect((await read('stdin', createDocx(['written']))).texts).toEqual([['stdin', 'written\n']]);
  });
});

describe('the format of a file', () => {
  const chosen = (name: string, head: string) =>
    chooseReader(name, Buffer.from(head, 'latin1').subarray(0, headBytes)) !== null;

  it.each([
    ['a.PDF', 'x'],
    ['report', '%PDF-1.7'],
    ['wrongly-named.txt', '%PDF-1.7'],
    ['stdin', 'PK\x03\x04'],
    ['stdin', '<!DOCTYPE html>\n<html>'],
    ['stdin', '{\n "cells": [\n  {'],
    ['x.log', '\x1f\x8b\x08'],
    ['a/b.htm', 'x'],
  ])('%s that begins with %j has a reader', (name, head) => expect(chosen(name, head)).toBe(true));

  it.each([
    ['a.txt', 'plain text'],
    ['a.csv', 'a,b\n1,2\n'],
    ['a.tsv', 'a\tb\n'],
    ['page.php', '<!doctype html><?php'],
    ['app.jar', 'PK\x03\x04'],
    ['pdf', 'about %PDF-1.7'],
    ['.html', 'x'],
    ['v1.2/notes', '{"cells": 3}'],
    ['', ''],
    ['empty.pdf', ''],
  ])('%s that begins with %j has none', (name, head) => expect(chosen(name, head)).toBe(false));
});
