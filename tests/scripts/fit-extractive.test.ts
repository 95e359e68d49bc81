import { describe, expect, it } from 'vitest';
import { auroc, calibrationError, fitChoices, fitOdds, sigmoid } from '../../scripts/fitting/logit.ts';

describe('fitting', () => {
  it('finds the feature that separates right candidates from wrong ones', () => {
    const choice = {
      values: [
        [1, 0.2],
        [0, 0.3],
        [0, 0.1],
      ],
      right: [true, false, false],
    };
    const [telling, other] = fitChoices(
      [
        choice,
        {
          ...choice,
          values: [
            [1, 0.1],
            [0, 0.1],
            [0, 0.3],
          ],
        },
      ],
      2,
    );
    expect(telling).toBeGreaterThan(3);
    expect(Math.abs(other!)).toBeLessThan(telling!);
  });

  it('finds a curve that states how often similar answers are right', () => {
    const examples = Array.from({ length: 400 }, (_, n) => ({
      values: [n % 2],
      isRight: n % 2 === 0 ? n % 10 === 0 : n % 10 < 7,
    }));
    const [constant, weight] = fitOdds(examples, 1);
    expect(sigmoid(constant!)).toBeCloseTo(0.2, 1);
    expect(sigmoid(constant! + weight!)).toBeCloseTo(0.6, 1);
  });

  it('measures order and calibration', () => {
    expect(auroc([0.1, 0.4, 0.4, 0.9], [false, true, false, true])).toBe(0.875);
    const said = Array.from({ length: 1_000 }, (_, n) => (n % 10) / 10);
    expect(
      calibrationError(
        said,
        said.map((odds, n) => (n % 100) / 100 < odds),
      ),
    ).toBeLessThan(0.06);
    expect(
      calibrationError(
        said,
        said.map(() => true),
      ),
    ).toBeGreaterThan(0.5);
  });
});
