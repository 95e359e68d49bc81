import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLoosely, findQuote } from '../../src/evidence/quote.ts';

const text =
  'At 02:14 the “pool” (size: 20) ran out.\n  It’s   limited\tby release 4.2 — see a[i] * b? $1.\nLast – line…\n';

const found = (quote: string, within = text) => {
  const place = findQuote(within, quote);
  return place && within.slice(place.start, place.end);
};

describe('a quote', () => {
  it.each([
    ['as it stands', 'ran out', 'ran out'],
    ['with space around it', '  ran out\n', 'ran out'],
    ['over a line break', 'ran out. It’s', 'ran out.\n  It’s'],
    ['with other white space', 'It’s limited by\n release', 'It’s   limited\tby release'],
    ['with straight quotation marks', 'the "pool" (size', 'the “pool” (size'],
    ['with a straight apostrophe', "It's limited", 'It’s   limited'],
    ['with a hyphen for a dash', '4.2 - see', '4.2 — see'],
    ['with another dash', 'Last — line', 'Last – line'],
    ['with an ellipsis before and after', '… ran out …', 'ran out'],
    ['with dots before and after', '...the “pool”...', 'the “pool”'],
    ['with an ellipsis that stands there', 'line…', 'line…'],
    ['of signs that mean something in patterns', 'a[i] * b? $1.', 'a[i] * b? $1.'],
  ])('is found %s', (_, quote, expected) => {
    expect(found(quote)).toBe(expected);
  });

  it.each([
    '',
    '  ',
    '…',
    '...',
    'ran  off',
    'RAN OUT',
    'At 02:14 … ran out',
    '.*',
    '.',
    'a.i',
    'ran out. It’s limited by release 4.3',
  ])('is not found: %j', (quote) => {
    expect(found(quote)).toBeNull();
  });

  it('is not half a character', () => {
    expect(found('\ud83d', 'a 😀 b')).toBeNull();
    expect(found('a \ud83d', 'a 😀 b')).toBeNull();
  });

  it('may be long, but must occur completely', () => {
    const long = 'many words that go on '.repeat(500);
    expect(found(long, `x ${long}y`)).toBe(long.trim());
    expect(found(`${long}and end otherwise`, `x ${long}y`)).toBeNull();
  });

  it('takes time in proportion to its length', () => {
    const before = process.cpuUsage();
    for (const unit of [' ', 'a ', '"', '…', '. ', '\n']) {
      findQuote(unit.repeat(100_000), `${unit.repeat(50_000)}x`);
      findQuote(`x${unit.repeat(100_000)}`, `x${unit.repeat(50_000)}y`);
    }
    // Processor time does not depend on the load of the machine.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  it('is found wherever it was copied from, with any changes of spaces and signs', () => {
    const piece = fc.constantFrom('“a”', "b's", 'ü', '😀', '—', ' ', '\n', '\t ', '(c)', '$&');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 3 }), fc.nat(), fc.nat(), (pieces, from, count) => {
        const start = from % pieces.length;
        const copied = pieces.slice(start, start + 1 + (count % pieces.length)).join('');
        const said = copied.replace(/\s+/g, ' ').replace(/[“”]/g, '"').replace(/'/g, '’').replace(/—/g, '-').trim();
        if (!/[\p{L}\p{N}]/u.test(said)) return;
        const place = findQuote(pieces.join(''), said);
        expect(place).not.toBeNull();
      }),
    );
  });
});

it('that occurs several times is found at the requested place, else at the last', () => {
  const lines = 'ERROR  timeout\nINFO\nERROR timeout\nERROR timeout\n';
  expect([0, 1, 5].map((nth) => findQuote(lines, 'ERROR timeout', nth)?.start)).toEqual([20, 34, 34]);
  expect([0, 1, 2].map((nth) => findQuote('a  b\na  b\n', 'a b', nth)?.start)).toEqual([0, 5, 5]);
});

describe('a quote that is searched for loosely', () => {
  const loosely = (quote: string, within = text) => {
    const place = findLoosely(within, quote);
    return place && within.slice(place.start, place.end);
  };

  it.each([
    ['in another case', 'RAN OUT', 'ran out'],
    ['without quotation marks', 'The pool (Size: 20)', 'the “pool” (size: 20)'],
    ['with other quotation marks', "the 'pool' (size", 'the “pool” (size'],
    ['with escaped quotation marks', 'the \\"pool\\" (size', 'the “pool” (size'],
    ['without an apostrophe', 'its limited', 'It’s   limited'],
    ['without spaces about a dash', '4.2-see', '4.2 — see'],
    ['with spaces about a dash', 'last -  line', 'Last – line'],
  ])('is found %s', (_, quote, expected) => {
    expect(loosely(quote)).toBe(expected);
  });

  it.each(['', '"', '…', 'ran off', 'the size', 'pool ran'])('is not found: %j', (quote) => {
    expect(loosely(quote)).toBeNull();
  });

  it('keeps its place behind letters that grow in another case', () => {
    expect(loosely('RAN', 'İİ ran')).toBe('ran');
  });
});
