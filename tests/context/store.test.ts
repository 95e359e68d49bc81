import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store.ts';

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

  it('gives a chunk as a passage, with its place and the hash of its text', () => {
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

  it('reads bytes that lie inside a larger buffer, and invalid ones as U+FFFD', () => {
    const bytes = new Uint8Array(Buffer.from([0x61, 0x62, 0xff, 0x63])).subarray(1);
    const inner = createContextStore([{ name: 'x', bytes }]);
    expect(inner.text(inner.chunk(0))).toBe('b\uFFFDc');
  });
});
