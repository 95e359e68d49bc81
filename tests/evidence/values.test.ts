import { describe, expect, it } from 'vitest';
import { createValueSources, readValues } from '../../src/evidence/values.ts';

const missing = (claim: string, ...texts: string[]) => createValueSources(texts).missing(claim);

describe('a number of a claim', () => {
  it.each([
    ['235000', 'rows: 235,000'],
    ['235,000', 'rows: 235, 000'],
    ['235, 000 rows', 'rows: 235000'],
    ['235,000', 'rows: 235 000'],
    ['235 000', 'rows: 235\u00a0000'],
    ['20', 'after 20ms'],
    ['20ms', 'after 20 ms'],
    ['1,235,000.5', 'sum 1235000.50'],
    ['3.50', 'about 3.5 percent'],
    ['007', 'agent 7'],
    ['0.35', 'fell by 0.350'],
    ['20', 'from 10, 20, 30'],
  ])('%s occurs in "%s"', (claim, text) => {
    expect(missing(`It was ${claim} in all.`, text)).toEqual([]);
  });

  it.each([
    ['235000', 'rows: 235', '235000'],
    ['35', 'rows: 235', '35'],
    ['3.5', 'rows: 35', '3.5'],
    ['0.35', '57 and 20', '0.35'],
    ['12', 'ten or so', '12'],
    ['7,000', 'clause 7: 78,000', '7000'],
    ['7,000,000', 'clause 7: 78,000', '7000000'],
    ['78', 'rent: 78,000', '78'],
  ])('%s does not occur in "%s"', (claim, text, named) => {
    expect(missing(`It was ${claim} in all.`, text)).toEqual([named]);
  });

  it('may occur in any of the texts', () => {
    expect(missing('20 of 57 failed.', '57 ran', '20 failed')).toEqual([]);
  });

  it('of a list is a separate number, with or without a space', () => {
    expect(missing('Lines 100, 200 are meant.', 'line 100', 'line 200')).toEqual([]);
    expect(missing('Lines 100, 300 are meant.', 'line 100', 'line 200')).toEqual(['100300']);
    expect(missing('In 2026, 235 of 300 failed.', 'in 2026, 235', '300 ran')).toEqual([]);
    expect(missing('Lines 10, 20 are meant.', 'line 10', 'line 20')).toEqual([]);
  });
});

describe('a date of a claim', () => {
  it.each([
    ['1 May 2026', '2026-05-01'],
    ['May 1st, 2026', '2026-05-01 10:00'],
    ['2026-05-01', 'on the 1st of May 2026'],
    ['5 September 2026', '2026-09-05'],
    ['12.09.2026', '12 Sept. 2026'],
  ])('%s occurs in "%s"', (claim, text) => {
    expect(missing(`It was on ${claim}.`, text)).toEqual([]);
  });

  it.each([
    ['1 May 2026', '2026-06-01'],
    ['11 May 2026', '2026-05-01'],
    ['2026-05-01', '1 June 2026'],
    ['12.09.2026', '12.08.2026'],
  ])('%s does not occur in "%s"', (claim, text) => {
    expect(missing(`It was on ${claim}.`, text)).toHaveLength(1);
  });

  it('has a month only next to a number: "may" and "march" are words', () => {
    expect([...readValues('They may march on.').numbers]).toEqual([]);
    expect([...readValues('On May 3 they march.').numbers].toSorted()).toEqual(['3', '5']);
    expect([...readValues('4 markets in 5 decades, e.g. in the U.S.').numbers].toSorted()).toEqual(['4', '5']);
  });
});

describe('an identifier of a claim', () => {
  it('is not an abbreviation', () => {
    expect([...readValues('Ports, e.g. in the U.S., as in a.md and pool.max.').identifiers]).toEqual([
      'a.md',
      'pool.max',
    ]);
  });

  it.each(['poolMax', 'max_connections', 'src/pool.ts', 'C-1187', 'orders@v2', 'a.b.c', 'API2', 'x86'])(
    '%s must occur in a text',
    (name) => {
      expect(missing(`It is ${name} that fails.`, `see ${name}: 20`)).toEqual([]);
      expect(missing(`It is ${name} that fails.`, 'see the pool')).toContain(name);
    },
  );

  it('may have another case, and its digits are not a separate number', () => {
    expect(missing('It is POOL_4 that fails.', 'pool_4 failed')).toEqual([]);
    expect(missing('It is pool_4 that fails.', 'the pool')).toEqual(['pool_4']);
  });

  it.each(['Mara Lind', 'pools', 'The', 'e', 'USA', 'well-known'])('is not %s', (word) => {
    expect(missing(`It was ${word}.`, 'nothing')).toEqual([]);
  });

  it('may begin another one', () => {
    expect(missing('Both v1 and v10 failed.', 'v10 failed, then v1')).toEqual([]);
  });
});

describe('a quotation of a claim', () => {
  const text = 'The pool\n * was limited to 20 by release 4.2.';

  it.each([
    'It says "the pool was limited".',
    'It says “The pool was limited to 20”.',
    'It runs `pool was limited to`.',
  ])('occurs in the text, ignoring white space, case and comment stars: %s', (claim) => {
    expect(missing(claim, text)).toEqual([]);
  });

  it('is named if it occurs nowhere', () => {
    expect(missing('It says "the pool was gone".', text)).toEqual(['"the pool was gone"']);
  });

  it('of one or two words is an emphasis', () => {
    expect(missing('It is the "worker pool".', text)).toEqual([]);
  });
});

describe('words of a claim', () => {
  it.each([
    'There is no pool, and it cannot fail without one.',
    'Release follows pool, never the other way round.',
    'All of them, except the first.',
  ])('are not judged: %s', (claim) => {
    expect(missing(claim, 'The pool never followed a release; none did.')).toEqual([]);
  });
});
