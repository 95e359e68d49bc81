import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../src/evidence/citations.ts';
import {
  computeConfidence,
  confidenceKindOf,
  featuresOf,
  holdDown,
  onCurve,
  type Signals,
} from '../../src/evidence/confidence.ts';
import type { Claim, Contradiction } from '../../src/state.ts';
import { passagesOf } from '../support/passages.ts';

const { citations } = checkCitations('The pool was limited [P1].', [], passagesOf('The pool was limited to 20.\n'));

const claim = (changes: Partial<Claim> = {}): Claim => ({
  ...{ text: 'The pool was limited.', start: 0, end: 21, citations: [1] },
  ...{ support: null, verdict: 'unchecked', reason: null },
  ...changes,
});
const faulty = claim({ reason: 'not in the cited text: 40' });

const signals = (changes: Partial<Signals> = {}): Signals => ({
  ...{ tells: 'all', claims: [claim()], citations, score: null, answerable: null, isSmall: false, isStepped: false },
  ...changes,
});
const confidence = (changes: Partial<Signals> = {}): number => computeConfidence(signals(changes)).confidence!;

describe('confidence', () => {
  it('is at most 50 if the critic contradicts a claim, and names the claim', () => {
    const wrong = claim({ verdict: 'contradicted', support: 0, reason: 'it was 4 in the end' });
    const judged = { claims: [claim({ verdict: 'supported', support: 1 }), wrong], score: 90, isStepped: true };
    expect(confidence({ ...judged, claims: [judged.claims[0]!] })).toBeGreaterThan(50);
    expect(computeConfidence(signals(judged))).toMatchObject({
      confidence: 50,
      reason: expect.stringContaining('it was 4 in the end'),
    });
  });

  it('is at most 50 if a value occurs nowhere and the critic did not judge it', () => {
    expect(confidence({ claims: [faulty], isStepped: true })).toBe(50);
    expect(confidence({ claims: [faulty], isStepped: true, score: 95 })).toBeGreaterThan(50);
  });

  it.each([
    ['tells all', { tells: 'all' }],
    ['tells only a part', { tells: 'part' }],
    ['does not say how much it tells', { tells: null }],
  ] as const)('is unknown if an answer that %s cites nothing', (_, changes) => {
    expect(computeConfidence(signals({ ...changes, citations: [] }))).toEqual({
      confidence: null,
      reason: 'the answer cites nothing',
    });
  });

  it('is known if the answer says that the text has no answer', () => {
    expect(confidence({ tells: 'nothing', claims: [], citations: [] })).toBeGreaterThan(0);
  });

  it.each<[string, Partial<Signals>, Partial<Signals>]>([
    ['the answer tells only a part', { tells: 'part' }, {}],
    ['a claim cites nothing', { claims: [claim(), claim({ citations: [] })] }, { claims: [claim(), claim()] }],
    ['the critic gives a lower score', { score: 20 }, { score: 90 }],
    [
      'the critic doubts that the text does not tell',
      { tells: 'nothing', score: 20, citations: [] },
      { tells: 'nothing', score: 90, citations: [] },
    ],
  ])('is lower if %s', (_, worse, better) => {
    expect(confidence(worse)).toBeLessThan(confidence(better));
  });

  it.each<[string, Partial<Signals>, object]>([
    ['how much it tells', { tells: 'part' }, { tellsAll: 0, tellsPart: 1 }],
    ['claims with a value that stands nowhere', { claims: [faulty, claim()] }, { faults: 0.5 }],
    ['claims that cite something', { claims: [claim(), claim({ citations: [] })] }, { cited: 0.5 }],
    [
      'the support of its claims',
      { claims: [claim({ support: 0.9 }), claim({ support: 0.1 }), claim()] },
      { meanSupport: 0.5, leastSupport: 0.1 },
    ],
    ['no claim', { claims: [] }, { faults: 0, cited: 0, meanSupport: 0.5, leastSupport: 0.5 }],
    ['what the critic and a small model say', { score: 20, answerable: 0.3 }, { score: 0.2, answerable: 0.3 }],
    ['whether the model chose its own steps', { isStepped: true }, { stepped: 1, score: 0.5, answerable: 0.5 }],
  ])('depends on %s', (_, changes, features) => {
    expect(featuresOf(signals(changes))).toMatchObject(features);
  });

  it.each<[string, Partial<Signals>]>([
    ['answer', {}],
    ['checkedAnswer', { score: 0 }],
    ['absence', { tells: 'nothing' }],
    ['checkedAbsence', { tells: 'nothing', score: 0 }],
    ['small', { isSmall: true, score: 50 }],
  ])('is fitted separately for the kind %s', (kind, changes) => {
    expect(confidenceKindOf(signals(changes))).toBe(kind);
  });

  it('does not depend on words of the answer', () => {
    const of = (text: string) => confidence({ claims: [claim({ text })] });
    expect(of('It cannot be known without them: no.')).toBe(of('The pool was limited to 20.'));
  });

  it.each<[string, Partial<Signals>, RegExp | null]>([
    ['the claim that is supported least', { claims: [claim(), faulty] }, /^"The pool was limited\.": not in .* 40$/],
    ['that a part is told', { tells: 'part' }, /tells only a part/],
    ['that the text does not tell', { tells: 'nothing', claims: [] }, /does not contain/],
    ['nothing where nothing is wrong', {}, null],
  ])('says why it is low: %s', (_, changes, reason) => {
    const found = computeConfidence(signals(changes)).reason;
    if (reason === null) expect(found).toBeNull();
    else expect(found).toMatch(reason);
  });

  it('is a whole number from 0 to 100', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const any = fc.record({
      tells: fc.constantFrom(null, 'all' as const, 'part' as const, 'nothing' as const),
      claims: fc.array(
        fc.record({ support: fc.option(share), reason: fc.option(fc.constant('x')) }).map((changes) => claim(changes)),
      ),
      score: fc.option(fc.integer({ min: 0, max: 100 })),
      answerable: fc.option(share),
      isStepped: fc.boolean(),
    });
    fc.assert(
      fc.property(any, (changes) => {
        const found = confidence(changes);
        expect(Number.isInteger(found) && found >= 0 && found <= 100).toBe(true);
      }),
    );
  });
});

describe('a contradiction', () => {
  const side = { source: 'a', startLine: 1, endLine: 1, quote: 'x' };
  const contradiction = (passage: string): Contradiction => ({
    text: 'a:1 says "x", b:2 says "y"',
    sides: [
      { ...side, passage },
      { ...side, passage: 'P9' },
    ],
  });

  it('limits the confidence to 50 if a cited passage is part of it', () => {
    const found = { confidence: 80, reason: null };
    expect(holdDown(found, [contradiction('P1')], citations)).toEqual({
      confidence: 50,
      reason: 'a:1 says "x", b:2 says "y"',
    });
    expect(holdDown(found, [contradiction('P2')], citations)).toEqual(found);
    expect(holdDown({ ...found, confidence: 30 }, [contradiction('P1')], citations).confidence).toBe(30);
    expect(holdDown({ ...found, confidence: null }, [contradiction('P1')], citations).confidence).toBeNull();
  });
});

describe('a confidence on a fitted curve', () => {
  it("has the curve's value, and otherwise stays unknown or unchanged", () => {
    const found = { confidence: 80, reason: null };
    expect(onCurve(found, { constant: -1, slope: 1 })).toEqual({ confidence: 45, reason: null });
    expect(onCurve(found, null)).toEqual(found);
    expect(onCurve({ confidence: null, reason: 'x' }, { constant: 9, slope: 1 }).confidence).toBeNull();
    expect(onCurve(found, { constant: 1e9, slope: 1 }).confidence).toBe(100);
    expect(onCurve(found, { constant: -1e9, slope: 1 }).confidence).toBe(0);
  });
});
