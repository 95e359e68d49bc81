import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { casesOf, readArticles, strayCases } from '../../scripts/fitting/cases.ts';
import { features, fitMatch, fitRank, matchFeatures, readCase } from '../../scripts/fitting/extractive.ts';
import { auroc, calibrationError, fitChoices, fitOdds, sigmoid } from '../../scripts/fitting/logit.ts';
import { matchWeights, rankWeights } from '../../src/providers/extractive/features.ts';

const data = resolve(import.meta.dirname, '../../../shared/data');

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

describe.skipIf(!existsSync(resolve(data, 'squad2')))(
  'the shipped weights (skipped without ../shared/data/squad2)',
  () => {
    it('are the result of fitting', { timeout: 300_000 }, async () => {
      const fitted = readArticles(data, 'fitted');
      const own = await casesOf(fitted, [...fitted, ...readArticles(data, 'held out')]);
      const readings = own.map(readCase);
      const rank = fitRank(readings);
      for (const [place, name] of features.entries())
        expect(Math.abs(rank[place]! - rankWeights[name])).toBeLessThan(0.1);
      const match = fitMatch([...readings, ...(await strayCases(fitted)).map(readCase)]);
      for (const [place, name] of (['constant', ...matchFeatures] as const).entries())
        expect(Math.abs(match[place]! - matchWeights[name])).toBeLessThan(0.1);
    });
  },
);
