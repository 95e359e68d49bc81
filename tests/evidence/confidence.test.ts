import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../src/evidence/citations.ts';
import { checkClaims } from '../../src/evidence/claims/check-claims.ts';
import { computeConfidence, onCurve } from '../../src/evidence/confidence.ts';
import { numberCitations } from '../../src/evidence/number-citations.ts';
import type { Citation } from '../../src/state.ts';
import { passagesOf } from '../support/passages.ts';

const passages = passagesOf(
  'The connection pool was limited to 20 by release 4.2.\nThe payment service failed at 02:14.\n',
);
const question = 'Why did the payment service fail? What limited the connection pool?';

/** The confidence in an answer with passage ids as marks. */
function confidenceOf(asked: string, answer: string, found: readonly Citation[]): number | null {
  const { answer: numbered, citations } = numberCitations(answer, found);
  const claims = checkClaims(asked, numbered, citations, passages);
  return computeConfidence(asked, claims, passages, citations).confidence;
}

const confidence = (answer: string, asked = question) => {
  const checked = checkCitations(answer, [], passages);
  return confidenceOf(asked, checked.answer, checked.citations);
};

describe('confidence', () => {
  it.each([
    ['nothing is cited', 'The pool was limited by release 4.2.'],
    ['nothing is claimed', '[P1]'],
    ['the answer is empty', ''],
    ['only marks and signs are there', '… [P1] — [P1].'],
    ['what is cited was not given', 'The pool was limited [P9].'],
  ])('is unknown when %s', (_, answer) => {
    expect(confidence(answer)).toBeNull();
  });

  const supported = 'The connection pool was limited to 20 by release 4.2 [P1].';

  it('is high for a claim that the passages support', () => {
    expect(confidence(supported)).toBeGreaterThan(80);
  });

  it.each([
    ['an unsupported claim', `${supported} Elephants trampled Hannibal's Alpine vineyards.`],
    ['an unsupported claim with a mark', `${supported} Elephants trampled Alpine vineyards [P1].`],
    ['another word in the claim', supported.replace('20', 'thirty')],
  ])('is lower with %s', (_, answer) => {
    expect(confidence(answer)).toBeLessThan(confidence(supported)!);
  });

  it('is lower when a claim does not say what it rests on', () => {
    const second = 'The payment service failed at 02:14';
    expect(confidence(`${supported} ${second}.`)).toBeLessThan(confidence(`${supported} ${second} [P1].`)!);
  });

  it('is lower when the passages do not answer the question', () => {
    expect(confidence(supported, 'Who signed the treaty of Westphalia?')).toBe(0);
  });

  it('takes a mark after the full stop for the sentence before it', () => {
    expect(confidence('The payment service failed at 02:14. [P1]')).toBe(
      confidence('The payment service failed at 02:14 [P1].'),
    );
  });

  describe('in a yes or a no', () => {
    const asked = 'Was the connection pool limited by release 4.2?';

    const cited = (answer: string, quote = 'limited to 20 by release 4.2') =>
      confidenceOf(asked, answer, checkCitations(answer, [{ passage: 'P1', quote }], passages).citations);

    it.each(['Yes', 'No.', 'Yes. [P1]', 'no', '**Yes**'])('comes from the question and the citation: %s', (answer) => {
      expect(cited(answer)).toBeGreaterThan(50);
    });

    it('is not lowered by the word itself', () => {
      expect(cited('Yes, release 4.2 limited the connection pool to 20 [P1].')).toBe(
        cited('Release 4.2 limited the connection pool to 20 [P1].'),
      );
    });

    it('is low where the citation is of something else', () => {
      const elsewhere = 'Did the harbour office limit its ships by release?';
      const { citations } = checkCitations('Yes [P1]', [], passages);
      expect(confidenceOf(elsewhere, 'Yes [P1]', citations)).toBeLessThan(30);
    });

    it('is unknown without a citation', () => {
      expect(confidenceOf(asked, 'Yes.', [])).toBeNull();
    });
  });

  it('is a whole number from 0 to 100, or null', () => {
    const words = fc.array(fc.constantFrom('pool', 'limited', '20', 'the', '[P1]', '.', '\n', 'x', '?', '[P7]', 'é'));
    fc.assert(
      fc.property(words, words, (answer, asked) => {
        const found = confidence(answer.join(' '), asked.join(' '));
        if (found === null) return;
        expect(Number.isInteger(found) && found >= 0 && found <= 100).toBe(true);
      }),
    );
  });
});

describe('a confidence on a curve that was fitted', () => {
  it('is what it means there, and stays unknown or as it is', () => {
    const found = { confidence: 80, reason: null };
    expect(onCurve(found, { constant: -1, slope: 1 })).toEqual({ confidence: 45, reason: null });
    expect(onCurve(found, null)).toEqual(found);
    expect(onCurve({ confidence: null, reason: 'x' }, { constant: 9, slope: 1 }).confidence).toBeNull();
    expect(onCurve(found, { constant: 1e9, slope: 1 }).confidence).toBe(100);
    expect(onCurve(found, { constant: -1e9, slope: 1 }).confidence).toBe(0);
  });
});
