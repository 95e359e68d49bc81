import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChunker } from '../../src/context/chunk.ts';
import type { ChunkPlace } from '../../src/context/chunkers/chunker.ts';

function chunkBytesOf(bytes: Uint8Array, chunkBytes?: number) {
  const places: ChunkPlace[] = [];
  const chunker = createChunker('lines', { chunkBytes }, (place) => places.push(place));
  chunker.write(bytes);
  return { places, lines: chunker.end() };
}

function chunkText(text: string, chunkBytes?: number) {
  const bytes = Buffer.from(text);
  return chunkBytesOf(bytes, chunkBytes).places.map((place) => ({
    ...place,
    text: bytes.toString('utf8', place.startByte, place.endByte),
  }));
}

describe('chunks of lines', () => {
  it('packs whole lines up to the size', () => {
    const chunks = chunkText('aaaa\nbbbb\ncccc\n', 10);
    expect(chunks.map(({ text, startLine, endLine }) => [text, startLine, endLine])).toEqual([
      ['aaaa\nbbbb\n', 1, 2],
      ['cccc\n', 3, 3],
    ]);
  });

  it('ends at the last blank line in the second half', () => {
    expect(chunkText('one\n\ntwo\n\nthree\nfour\n', 15).map(({ text }) => text)).toEqual([
      'one\n\ntwo\n\n',
      'three\nfour\n',
    ]);
    expect(chunkText('one\n\ntwo two\nthree\n', 16).map(({ text }) => text)).toEqual(['one\n\ntwo two\n', 'three\n']);
  });

  it('counts a line with only a carriage return or spaces as blank', () => {
    expect(chunkText('one one\r\n \t\r\ntwo\r\nthree\r\n', 18).map(({ text }) => text)).toEqual([
      'one one\r\n \t\r\n',
      'two\r\nthree\r\n',
    ]);
  });

  it('cuts a long line behind a space in the last quarter, and separates it from its neighbours', () => {
    const chunks = chunkText('ab\nlong words in one line\ncd\n', 12);
    expect(chunks.map(({ text, startLine }) => [text, startLine])).toEqual([
      ['ab\n', 1],
      ['long words ', 2],
      ['in one line\n', 2],
      ['cd\n', 3],
    ]);
  });

  it('never cuts a character', () => {
    for (const { text } of chunkText('é'.repeat(20) + '漢'.repeat(20) + '🚀'.repeat(20), 7))
      expect(text).not.toContain('\uFFFD');
    expect(chunkText('🚀🚀', 1).map(({ text }) => text)).toEqual(['🚀', '🚀']);
  });

  const piece = fc.oneof(fc.constantFrom('\n', '\r\n', '\n\n', ' ', '\r', 'é', '漢字', '🚀', 'word '), fc.string());
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  it('contain every byte of any text once, in whole lines or parts of one', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (whole, chunkBytes) => {
        const chunks = chunkText(whole, chunkBytes);
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(Buffer.from(whole).toString());
        for (const { text: part, startByte, startLine, endLine } of chunks) {
          const before = Buffer.from(whole).toString('utf8', 0, startByte);
          expect(startLine).toBe(before.split('\n').length);
          expect(endLine).toBe(startLine + part.replace(/\n$/, '').split('\n').length - 1);
          expect(part.length).toBeGreaterThan(0);
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(Math.max(4, chunkBytes) + 2);
        }
      }),
    );
  });

  it('handle one line of 50 MB and 100,000 lines of one character', () => {
    const { places } = chunkBytesOf(Buffer.alloc(50_000_000, 'x'));
    expect(places).toHaveLength(Math.ceil(50_000_000 / 1500));
    expect(chunkBytesOf(Buffer.from('x\n'.repeat(100_000))).places.at(-1)?.endLine).toBe(100_000);
  }, 5_000);

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
    ['a\r\nb\r\n', 2],
  ])('of %j come from %i lines', (text, lines) => {
    expect(chunkBytesOf(Buffer.from(text)).lines).toBe(lines);
  });

  it('are available while a line without an end arrives', () => {
    let end = 0;
    const chunker = createChunker('lines', {}, ({ endByte }) => {
      end = endByte;
    });
    const block = Buffer.alloc(1_000_000, 'x');
    for (let written = block.length; written <= 50_000_000; written += block.length) {
      chunker.write(block);
      expect(written - end).toBeLessThan(10_000);
    }
    expect(chunker.end()).toBe(1);
    expect(end).toBe(50_000_000);
  });
});
