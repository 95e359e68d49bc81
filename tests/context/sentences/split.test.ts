import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../src/context/sentences/lines.ts';
import { splitSentences } from '../../../src/context/sentences/split.ts';

const split = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end).trim());

describe('sentences', () => {
  it.each([
    ['Godfrey v. Georgia was decided in 1980. It holds.', 2],
    ['The U.S. Supreme Court agreed. Dr. Ada J. Poole dissented.', 2],
    ['Die Sitzung ist am 7. Juni um 9 Uhr. Sie dauert eine Stunde.', 2],
    ['He moved to the U.S. In 1990 he left.', 2],
    ['Acme Co. bought Zeta Inc. for $3.5 million. The deal closed.', 2],
    ['Version 2.4.1 is out. See Fig. 3 and No. 12 for more.', 2],
    ['No. The limit is 40.', 2],
    ['The data are under accession no. GSE1234 in the archive. It is open.', 2],
    ['See accession nos. AB12 and AB13, or tab. S1. It is open.', 2],
    ['It starts at 5 p.m. The doors open at 4 a.m. on Sunday.', 2],
    ['Prices fell, e.g. Rent vs. Wages, by 3.5 %! Really? Yes.', 3],
    ['1. Open the valve. 2. Close it.', 2],
    ['“It failed.” She left. (It was late.) Done', 4],
    ['价格是四十。第二句！', 2],
  ])('%j has %d', (text, count) => {
    expect(split(text)).toHaveLength(count);
  });

  it('are split quickly in a long line of dots', () => {
    expect(split(`${'.'.repeat(200_000)}and so on. Next.`)).toHaveLength(2);
  });

  it('together are the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const ranges = splitSentences(text);
        expect(ranges.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      }),
    );
  });
});

it('a line of code in backticks does not begin fenced code', () => {
  const text = '```inline```\nThe pump is old.\n  ```\n  The gate.\n  ```\n';
  expect(readLines(text, 'a.md').map(({ kind }) => kind)).toEqual(['prose', 'prose', 'mark', 'code', 'mark', 'blank']);
});
