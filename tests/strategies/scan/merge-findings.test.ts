import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LocatedFinding, mergeFindings } from '../../../src/strategies/scan/read-pieces.ts';

const found = (finding: string, key = '', place = 1, source = 'a.log'): LocatedFinding => ({
  finding,
  key,
  citation: {
    passage: `P${place}`,
    source,
    startLine: place,
    endLine: place,
    startByte: place * 100,
    endByte: place * 100 + 9,
    hash: 'h',
    quote: finding,
    origin: 'reply',
  },
});

const shown = (findings: readonly LocatedFinding[]) =>
  mergeFindings(findings).map(({ finding, places }) => [finding, ...places.map(({ startLine }) => startLine)]);

describe('findings are one', () => {
  it.each([
    ['in the same words', found('The pool ran out.', '', 1), found('the pool ran out', '', 2)],
    ['in another order', found('At 02:14 the pool ran out.', '', 1), found('The pool ran out at 02:14', '', 2)],
    ['with the same key in other words', found('It broke.', 'db-1', 1), found('A disk failed.', 'db-1', 2)],
    ['with a key that is written otherwise', found('a', 'The Payments-Pool', 1), found('b', '"payments pool"', 2)],
  ])('%s', (_, one, other) => {
    expect(shown([one, other])).toEqual([[one.finding, 1, 2]]);
  });

  it('at one place in the same words, even if their keys differ', () => {
    expect(shown([found('It broke.', 'a', 1), found('it broke', 'b', 1)])).toHaveLength(1);
  });

  it('if a third is the same as both', () => {
    const findings = [found('It broke.', 'a', 1), found('It stopped.', 'b', 2), found('it stopped', 'a', 2)];
    expect(shown(findings)).toEqual([['It broke.', 1, 2]]);
  });
});

describe('findings are several', () => {
  it.each([
    ['with other keys in the same words', found('It broke.', '02:14', 1), found('It broke.', '03:09', 2)],
    ['with other keys in one sentence', found('A failed.', 'a', 1), found('B failed.', 'b', 1)],
    ['when one denies the other', found('The pool was full.', '', 1), found('The pool was not full.', '', 2)],
    ['with keys that only signs tell apart', found('a', 'C', 1), found('b', 'C++', 2)],
  ])('%s', (_, one, other) => {
    expect(shown([other, one])).toEqual([
      [one.finding, one.citation.startLine],
      [other.finding, other.citation.startLine],
    ]);
  });
});

const word = fc.constantFrom('pool', 'disk', 'full', 'broke', 'not');
const located = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom('', 'a', 'A ', 'b', 'c-1'), fc.nat({ max: 5 }))
  .map(([words, key, place]) => found(words.join(' '), key, place));

it('the same findings in any order give the same result, and merging that again changes nothing', () => {
  const shuffled = fc
    .array(located, { maxLength: 30 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      const merged = mergeFindings(all);
      expect(mergeFindings(other)).toEqual(merged);
      expect(mergeFindings([...all, ...other])).toEqual(merged);
      const places = new Set(all.map(({ citation }) => citation.startByte));
      expect(new Set(merged.flatMap((one) => one.places.map(({ startByte }) => startByte)))).toEqual(places);
    }),
  );
});
