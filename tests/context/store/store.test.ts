import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkKind } from '../../../src/context/chunk.ts';
import { isComputed } from '../../../src/context/computed-passage.ts';
import { createContextStore } from '../../../src/context/store/store.ts';

describe('createContextStore', () => {
  const documents = [
    { name: 'a.md', bytes: Buffer.from('one\ntwo\n') },
    { name: 'b.md', bytes: Buffer.from('trés\nbien') },
  ];
  const store = createContextStore(documents, { chunkBytes: 5 });

  it('describes the documents in bytes and lines', () => {
    expect(store.documents).toEqual([
      { name: 'a.md', bytes: 8, lines: 2 },
      { name: 'b.md', bytes: 10, lines: 2 },
    ]);
    expect(store.totalBytes).toBe(18);
  });

  it('returns a chunk as a passage, with its place and the hash of its text', () => {
    expect(store.passage(store.chunk(2), 1.5)).toEqual({
      id: 'P3',
      source: 'b.md',
      startLine: 1,
      endLine: 1,
      startByte: 0,
      endByte: 6,
      text: 'trés\n',
      score: 1.5,
      hash: createHash('sha256').update('trés\n').digest('hex').slice(0, 16),
    });
  });

  it('gives no text the name of a computed value', () => {
    const of = createContextStore([{ name: 'computed:query', bytes: Buffer.from('SELECT 1\n→\n42\n') }]);
    expect(of.documents[0]!.name).toBe('./computed:query');
    expect(isComputed(of.passage(of.chunk(0), 1))).toBe(false);
  });

  it('reads bytes within a larger buffer, and invalid ones as U+FFFD', () => {
    const bytes = new Uint8Array(Buffer.from([0x61, 0x62, 0xff, 0x63])).subarray(1);
    const inner = createContextStore([{ name: 'x', bytes }]);
    expect(inner.text(inner.chunk(0))).toBe('b\uFFFDc');
  });

  it('numbers chunks through all documents, and leaves out an empty one', () => {
    const texts = ['a\n', '', 'b\n'].map((text) => ({ name: text, bytes: Buffer.from(text) }));
    const of = createContextStore(texts);
    expect([0, 1].map((index) => of.chunk(index))).toMatchObject([
      { number: 1, document: 0 },
      { number: 2, document: 1 },
    ]);
    expect(of.documents).toHaveLength(2);
  });

  it('cuts each document according to its name', async () => {
    const of = createContextStore([], { kind: 'auto', chunkBytes: 25 });
    const text = '# A\ntext of a\n# B\ntext\n\nof b\n';
    for (const name of ['a.md', 'a.txt']) {
      const writer = of.begin(name);
      writer.write(Buffer.from(text));
      await writer.prepare();
      writer.end();
    }
    const starts = [0, 1, 2, 3].map((index) => of.text(of.chunk(index)).slice(0, 5));
    expect(starts).toEqual(['# A\nt', '# B\nt', '# A\nt', 'of b\n']);
  });
});

describe('a passage with overlap', () => {
  const passagesOf = (text: string | Buffer, chunkBytes: number, overlapBytes: number, kind: ChunkKind = 'lines') => {
    const store = createContextStore([{ name: 'a', bytes: Buffer.from(text) }], { kind, chunkBytes, overlapBytes });
    return Array.from({ length: store.chunkCount }, (_, index) => store.passage(store.chunk(index), 0));
  };

  it('begins at the first line start that is near enough, and is marked so', () => {
    const passages = passagesOf('one\ntwo\nthree\nfour\nfive\n', 9, 10);
    expect(passages.map(({ text, startLine, endLine, startByte }) => [text, startLine, endLine, startByte])).toEqual([
      ['one\ntwo\n', 1, 2, 0],
      ['one\ntwo\nthree\n', 1, 3, 0],
      ['two\nthree\nfour\n', 2, 4, 4],
      ['four\nfive\n', 4, 5, 14],
    ]);
  });

  it('has no overlap when the text is read as a whole', () => {
    const documents = [{ name: 'a', bytes: Buffer.from('one\ntwo\n') }];
    const store = createContextStore(documents, { chunkBytes: 4, overlapBytes: 4 });
    expect(store.passage(store.chunk(1), 0)).toMatchObject({ id: 'P2', text: 'one\ntwo\n', startLine: 1 });
    expect(store.passageWithoutOverlap(store.chunk(1))).toMatchObject({
      id: 'P2',
      text: 'two\n',
      startLine: 2,
      score: 0,
    });
  });

  it('begins after a space or at a character if no line start is near', () => {
    expect(passagesOf('words of one line', 10, 6)[1]).toMatchObject({
      text: 'of one line',
      startLine: 1,
      startByte: 6,
    });
    expect(passagesOf('漢字漢字', 6, 4)[1]?.text).toBe('字漢字');
  });

  it('is within its document, with its lines and at most this much more than its chunk', () => {
    const pieces = fc.array(fc.constantFrom('\n', '\r\n', ' ', 'é', '漢', 'word', '\n\n', 'x'.repeat(30)), {
      maxLength: 60,
    });
    const size = fc.integer({ min: 4, max: 60 });
    const kind = fc.constantFrom<ChunkKind>('lines', 'chars', 'paragraphs');
    fc.assert(
      fc.property(pieces, size, fc.integer({ min: 0, max: 60 }), kind, (parts, chunkBytes, overlapBytes, of) => {
        const whole = Buffer.from(parts.join(''));
        const plain = passagesOf(whole, chunkBytes, 0, of);
        for (const [index, passage] of passagesOf(whole, chunkBytes, overlapBytes, of).entries()) {
          const { text, startByte, endByte, startLine, endLine } = passage;
          expect(text).toBe(whole.toString('utf8', startByte, endByte));
          expect(text).not.toContain('\uFFFD');
          expect(startLine).toBe(whole.toString('utf8', 0, startByte).split('\n').length);
          expect([endByte, endLine]).toEqual([plain[index]!.endByte, plain[index]!.endLine]);
          expect(plain[index]!.startByte - startByte).toBeGreaterThanOrEqual(0);
          expect(plain[index]!.startByte - startByte).toBeLessThanOrEqual(overlapBytes);
        }
      }),
    );
  });
});
