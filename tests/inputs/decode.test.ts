import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecoder, type Encoding, isBinary } from '../../src/inputs/decode.ts';

/** Decodes bytes in pieces that end at these offsets. */
function decode(bytes: Uint8Array, encoding: Encoding = 'utf-8', ends: readonly number[] = []) {
  const decoder = createDecoder(bytes, encoding);
  const cuts = [0, ...ends, bytes.length];
  const pieces = cuts.slice(1).map((end, index) => decoder.write(Uint8Array.from(bytes.subarray(cuts[index], end))));
  return { bytes: Buffer.concat([...pieces, decoder.end()]), invalid: decoder.invalid(), encoding: decoder.encoding };
}

describe('createDecoder', () => {
  it.each([
    ['UTF-8', Buffer.from('héllo'), 'utf-8', 'héllo'],
    ['UTF-8', Buffer.from('\uFEFFhéllo'), 'latin1', '\uFEFFhéllo'],
    ['UTF-16', Buffer.from('\uFEFFhéllo', 'utf16le'), 'utf-8', 'héllo'],
    ['UTF-16', Buffer.from('\uFEFFhéllo', 'utf16le').swap16(), 'latin1', 'héllo'],
    ['Latin-1', Buffer.from('héllo ÿ', 'latin1'), 'latin1', 'héllo ÿ'],
  ] as const)('%s', (name, bytes, encoding, text) => {
    const decoded = decode(bytes, encoding);
    expect({ ...decoded, bytes: decoded.bytes.toString() }).toEqual({ bytes: text, invalid: 0, encoding: name });
  });

  it.each([
    ['accents', Buffer.from('une journée très belle', 'latin1'), 'Latin-1', 'une journée très belle'],
    ['quotes of Windows', Buffer.from('He said \x93no\x94 to me', 'latin1'), 'Latin-1', 'He said “no” to me'],
    [
      'accents after long ASCII',
      Buffer.from(`${'a'.repeat(5000)} caf\xe9 au lait`, 'latin1'),
      'Latin-1',
      `${'a'.repeat(5000)} café au lait`,
    ],
    ['a mark before ASCII', Buffer.from('\uFEFFid,name'), 'UTF-8', '\uFEFFid,name'],
    ['accents in UTF-8', Buffer.from('une journée'), 'UTF-8', 'une journée'],
    ['Cyrillic of one byte each', Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2 \xe2\xf1\xe5\xec', 'latin1'), 'UTF-8', null],
    ['UTF-8 that is cut', Buffer.concat([Buffer.from('caf'), Buffer.from([0xc3])]), 'UTF-8', null],
  ])('recognises by its bytes: %s', (_, bytes, encoding, text) => {
    const decoded = decode(bytes);
    expect(decoded.encoding).toBe(encoding);
    if (text !== null) expect([decoded.bytes.toString(), decoded.invalid]).toEqual([text, 0]);
  });

  it('leaves invalid UTF-8 in place, and counts it', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62, 0xef, 0xbf, 0xbd, 0xe2, 0x82]);
    expect(decode(bytes)).toMatchObject({ bytes, invalid: 2 });
  });

  it('counts UTF-16 that is cut in the middle of a character', () => {
    expect(decode(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62])).invalid).toBe(1);
  });

  it('gives the same result however the bytes are cut', () => {
    const parts = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('\uFFFD', '\uFEFF', '€').map((text) => Buffer.from(text)),
    );
    const texts = fc.array(parts, { maxLength: 8 }).map((all) => Buffer.concat(all));
    const marks = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]);
    fc.assert(
      fc.property(
        marks,
        texts,
        fc.array(fc.nat(60)),
        fc.constantFrom<Encoding>('utf-8', 'latin1'),
        (mark, text, places, encoding) => {
          const bytes = Buffer.concat([Buffer.from(mark), text]);
          const ends = places.filter((end) => end <= bytes.length).sort((a, b) => a - b);
          expect(decode(bytes, encoding, ends)).toEqual(decode(bytes, encoding));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('counts as many invalid sequences as reading shows', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        fc.pre(![0xef, 0xfe, 0xff].includes(bytes[0]!));
        const shown = new TextDecoder().decode(bytes).split('\uFFFD').length - 1;
        const genuine = Buffer.from(bytes).toString('latin1').split('\u00ef\u00bf\u00bd').length - 1;
        const decoded = decode(bytes);
        fc.pre(decoded.encoding === 'UTF-8');
        expect(decoded.invalid).toBe(shown - genuine);
      }),
      { numRuns: 200 },
    );
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
    [
      'a short table in Latin-1',
      Buffer.from('name,stadt,alter\nJörg,Köln,44\nZoë,Zürich,31\nÅsa,Köln,19\n', 'latin1'),
      false,
    ],
    [
      'Windows-1252 marks',
      Buffer.from('Mr M\xfcller says 5 \x80 and \x93thanks\x94 \x96 see you\x85', 'latin1'),
      false,
    ],
    ['words in Shift JIS', Buffer.from('total \x83\x65\x83\x58\x83\x67, of all of them', 'latin1'), true],
    [
      'Cyrillic of one byte a letter',
      Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2 \xe2\xf1\xe5\xec, \xcf\xf0\xe8\xe2\xe5\xf2 \xe2\xf1\xe5\xec', 'latin1'),
      true,
    ],
  ])('%s', (_, bytes, binary) => {
    expect(isBinary(bytes)).toBe(binary);
  });

  it('accepts a statement that text is Latin-1, except for a NUL', () => {
    const text = Buffer.from('Où étés âgés, élèves zélés', 'latin1');
    expect([isBinary(text), isBinary(text, 'latin1')]).toEqual([true, false]);
    expect(isBinary(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), 'latin1')).toBe(true);
    expect(isBinary(Buffer.from('\uFEFFabc', 'utf16le'), 'latin1')).toBe(false);
  });
});
