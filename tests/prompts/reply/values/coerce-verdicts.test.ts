import { describe, expect, it } from 'vitest';
import { toConflicts, toVerdicts } from '../../../../src/prompts/reply/coerce-parts.ts';

describe('verdicts on claims', () => {
  it('are read from objects, and from lines', () => {
    const expected = [
      { claim: 1, verdict: 'supported', quote: 'limited to 20', wrong: '' },
      { claim: 2, verdict: 'contradicted', quote: 'it was 20', wrong: 'it says 35' },
    ];
    expect(toVerdicts(expected)).toEqual(expected);
    const lines = '- 1 | supported | "limited to 20" | nothing\n- 2 | contradicted | "it was 20" | it says 35';
    expect(toVerdicts(lines)).toEqual(expected);
    expect(toVerdicts(lines.split('\n').map((line) => line.slice(2)))).toEqual(expected);
  });

  it('keep the number of a claim that begins a line', () => {
    expect(toVerdicts('12 | partial | none | half of it')).toEqual([
      { claim: 12, verdict: 'partial', quote: null, wrong: 'half of it' },
    ]);
    expect(toVerdicts('Claim 3 | supported')).toMatchObject([{ claim: 3, verdict: 'supported' }]);
  });

  it.each([
    ['Supported.', 'supported'],
    ['yes', 'supported'],
    ['partially supported', 'partial'],
    ['mostly', 'partial'],
    ['not supported', 'unsupported'],
    ['unsupported', 'unsupported'],
    ['no evidence', 'unsupported'],
    ['contradicts the passage', 'contradicted'],
    ['refuted', 'contradicted'],
  ])('understand "%s" as %s', (said, verdict) => {
    expect(toVerdicts([{ claim: 1, verdict: said }])).toMatchObject([{ claim: 1, verdict }]);
  });

  it('are read from fields with other names', () => {
    expect(toVerdicts([{ number: '2', support: 'supported', evidence: 'x y', why: '' }])).toEqual([
      { claim: 2, verdict: 'supported', quote: 'x y', wrong: '' },
    ]);
  });

  it('keep the quotation marks inside a quote, and lose those around it', () => {
    const quoteOf = (quote: string) => toVerdicts([{ claim: 1, verdict: 'supported', quote }])![0]!.quote;
    expect(quoteOf('the "worker" pool')).toBe('the "worker" pool');
    expect(quoteOf('"the pool"')).toBe('the pool');
    expect(quoteOf('')).toBeNull();
  });

  it('leave out entries without a claim or a verdict', () => {
    expect(toVerdicts('none')).toEqual([]);
    expect(toVerdicts('1 | no contradiction\n2 | not contradicted')).toEqual([]);
    expect(toVerdicts('The claims are fine.\n1 | who knows\n2 | supported')).toMatchObject([{ claim: 2 }]);
    expect(toVerdicts(7)).toBeUndefined();
  });
});

describe('places that contradict each other', () => {
  const expected = [
    [
      { passage: 'P1', quote: 'it was 20' },
      { passage: 'P2', quote: 'it was 35' },
    ],
  ];

  it('are read from objects, and from lines', () => {
    const object = { passage: 'P1', quote: 'it was 20', otherPassage: '2', otherQuote: 'it was 35' };
    expect(toConflicts([object])).toEqual(expected);
    expect(toConflicts('- [P1] "it was 20" against [P2] "it was 35"')).toEqual(expected);
  });

  it('need both sides', () => {
    expect(toConflicts('- [P1] "it was 20"')).toEqual([]);
    expect(toConflicts('none')).toEqual([]);
    expect(toConflicts(null)).toEqual([]);
    expect(toConflicts(7)).toBeUndefined();
  });
});
