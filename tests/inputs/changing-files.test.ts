import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { findInputs } from '../../src/inputs/find/find-inputs.ts';
import { createInputTotal } from '../../src/inputs/input-total.ts';
import { readInputs } from '../../src/inputs/read-inputs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { signal } = new AbortController();
const megabytes = (count: number) =>
  'x'
    .repeat(99)
    .concat('\n')
    .repeat(count * 10_000);

/**
 * Reads the inputs. Calls `meanwhile` when the files are found, and `onPiece` after each piece of a named file.
 */
async function read(cwd: string, paths: readonly string[], meanwhile: () => void, onPiece = () => {}) {
  const found = await findInputs({ paths, cwd, signal });
  meanwhile();
  const store = createContextStore();
  const onProgress = ({ bytes }: { readonly bytes: number }) => {
    if (bytes > 0) onPiece();
    return undefined;
  };
  const total = createInputTotal(1e9);
  const reading = {
    store,
    encoding: 'utf-8',
    total,
    maxUnpackRatio: 200,
    takeScan: null,
    takesPictures: false,
    readTimeoutMs: 60_000,
    onProgress,
    signal,
  } as const;
  return { store, ...(await readInputs(found, reading)) };
}

describe('a file that changes while it is read', () => {
  it('is read up to its first size, even if it grows faster than it is read', async () => {
    const cwd = tempFolder({ 'a.log': megabytes(3) });
    const grow = () => appendFileSync(join(cwd, 'a.log'), megabytes(2));
    const { store } = await read(cwd, ['a.log'], () => {}, grow);
    expect(store.documents).toEqual([{ name: 'a.log', bytes: 3_000_000, lines: 30_000 }]);
  });

  it('is read to its end when it shrinks', async () => {
    const cwd = tempFolder({ 'a.log': megabytes(3) });
    const { store, skipped, warnings } = await read(
      cwd,
      ['a.log'],
      () => {},
      () => truncateSync(join(cwd, 'a.log'), 1_500_000),
    );
    expect(skipped).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/'a\.log' became shorter .* of 3000000 bytes/)]);
    expect(store.documents[0]!.bytes).toBeLessThan(3_000_000);
    expect(store.documents[0]!.bytes).toBeGreaterThanOrEqual(1_048_576);
  });

  it('is skipped if it was removed, and nothing of it is kept', async () => {
    const cwd = tempFolder({ 'docs/a.md': 'one', 'docs/b.md': 'two', 'docs/c.md': 'three' });
    const { store, skipped } = await read(cwd, ['docs'], () => rmSync(join(cwd, 'docs/b.md')));
    expect(store.documents.map(({ name }) => name)).toEqual(['docs/a.md', 'docs/c.md']);
    expect(skipped).toEqual([{ name: 'docs/b.md', reason: 'gone' }]);
  });

  it('is skipped when it became a folder or a link', async () => {
    const cwd = tempFolder({ 'docs/a.md': 'one', 'docs/b.md': 'two', 'docs/c.md': 'three', secret: 'secret' });
    const { store, skipped } = await read(cwd, ['docs'], () => {
      for (const name of ['a.md', 'b.md']) rmSync(join(cwd, 'docs', name));
      mkdirSync(join(cwd, 'docs/a.md'));
      symlinkSync('../secret', join(cwd, 'docs/b.md'));
    });
    expect(store.documents.map(({ name }) => name)).toEqual(['docs/c.md']);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['docs/a.md', 'unreadable'],
      ['docs/b.md', 'unreadable'],
    ]);
  });
});

describe('a folder', () => {
  it('is read once if its links form a circle', async () => {
    const cwd = tempFolder({ 'docs/a.md': 'one', 'docs/in/b.md': 'two' });
    symlinkSync('..', join(cwd, 'docs/in/up'));
    symlinkSync('self', join(cwd, 'docs/self'));
    const { store, skipped } = await read(cwd, ['docs'], () => {});
    expect(store.documents.map(({ name }) => name)).toEqual(['docs/a.md', 'docs/in/b.md']);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['docs/in/up', 'symlink'],
      ['docs/self', 'symlink'],
    ]);
  });

  it('keeps names with line feeds and control codes', async () => {
    const cwd = tempFolder({ 'docs/a\nb.md': 'one', 'docs/\u001b[31mred.md': 'two' });
    const { store } = await read(cwd, ['docs'], () => {});
    expect(store.documents.map(({ name }) => name)).toEqual(['docs/\u001b[31mred.md', 'docs/a\nb.md']);
  });

  it('of thousands of files, one of which cannot be read, gives the others', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `docs/f${String(index).padStart(4, '0')}.md`);
    const cwd = tempFolder(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    const { store, skipped } = await read(cwd, ['docs'], () => {
      rmSync(join(cwd, 'docs/f1000.md'));
      mkdirSync(join(cwd, 'docs/f1000.md'));
    });
    expect(store.documents).toHaveLength(1_999);
    expect(skipped).toEqual([expect.objectContaining({ name: 'docs/f1000.md', reason: 'unreadable' })]);
  });
});

describe('text that cannot be stored', () => {
  it('in a full or removed temporary folder is given up, with an error', () => {
    const store = createContextStore([], { memoryBytes: 10 });
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/nowhere';
    try {
      const writer = store.begin('a');
      expect(() => writer.write(Buffer.alloc(100))).toThrow(expect.objectContaining({ code: 'no-space' }));
      writer.abandon();
      expect(store.totalBytes).toBe(0);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});
