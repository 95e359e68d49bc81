import { describe, expect, it } from 'vitest';
import { decodeDocument, isBinary } from '../../src/context/decode.ts';

function decode(bytes: Uint8Array) {
  const { document, warnings } = decodeDocument('x.txt', bytes);
  return { text: Buffer.from(document.bytes).toString(), warnings };
}

describe('decodeDocument', () => {
  it.each([
    ['plain UTF-8', Buffer.from('héllo')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFhéllo')],
    ['UTF-16 LE', Buffer.from('\uFEFFhéllo', 'utf16le')],
    ['UTF-16 BE', Buffer.from('\uFEFFhéllo', 'utf16le').swap16()],
  ])('%s', (_, bytes) => {
    expect(decode(bytes)).toEqual({ text: 'héllo', warnings: [] });
  });

  it('leaves invalid UTF-8 in place, and says so by name', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62]);
    const { document, warnings } = decodeDocument('x.txt', bytes);
    expect(document.bytes).toEqual(bytes);
    expect(warnings).toEqual([expect.stringContaining("'x.txt' is not valid UTF-8")]);
  });

  it('says so when UTF-16 is cut in the middle of a character', () => {
    expect(decode(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62])).warnings).toEqual([
      expect.stringContaining("'x.txt' is not valid UTF-16"),
    ]);
  });
});

describe('isBinary', () => {
  it.each([
    ['text', Buffer.from('text'), false],
    ['nothing', Buffer.alloc(0), false],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFFabc', 'utf16le'), false],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), true],
    ['a NUL', Buffer.from('a\0b'), true],
    ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), true],
    ['a PDF', Buffer.from('%PDF-1.7\nsome words'), true],
    ['mostly ASCII in Latin-1', Buffer.from('une journée très belle à la campagne', 'latin1'), false],
    ['Chinese cut off at the head', Buffer.from(`${'漢'.repeat(171)}字`), false],
  ])('%s', (_, bytes, binary) => {
    expect(isBinary(bytes)).toBe(binary);
  });
});
