import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { calibrate, debiasedError, kappa } from '../../../src/eval/statistics/calibration.ts';
import {
  bonettPrice,
  clusteredError,
  comparePaired,
  mcnemarMidP,
  samplesNeeded,
  t95,
  wilson,
} from '../../../src/eval/statistics/intervals.ts';

type Row = Record<string, number>;
const data = JSON.parse(readFileSync(new URL('../data/statistics.json', import.meta.url), 'utf8')) as {
  readonly [name in 'wilson' | 'mcnemarMidP' | 'bonettPrice' | 't95']: readonly Row[];
} & {
  readonly pairedT: readonly { differences: number[]; p: number; low: number; high: number }[];
  readonly clustered: readonly {
    differences: number[];
    clusters: string[];
    p: number;
    error: number;
    low: number;
    high: number;
  }[];
  readonly ranking: readonly { confidence: number[]; right: number[]; auroc: number; aurcSimulated: number }[];
  readonly kappa: readonly { first: boolean[]; second: boolean[]; kappa: number }[];
};

const near = (value: number, digits = 9) => expect.closeTo(value, digits);

/** Returns the differences of n pairs, of which the first arm won b and lost c. */
const pairs = (b: number, c: number, n: number): number[] =>
  Array.from({ length: n }, (_, at) => (at < b ? 1 : at < b + c ? -1 : 0));

const own = (values: readonly unknown[]) => values.map((_, at) => String(at));

describe('against scipy, statsmodels and scikit-learn', () => {
  it.each(data.wilson)('Wilson for $k of $n', ({ k, n, low, high }) => {
    expect(wilson(k! / n!, n!)).toEqual({ low: near(low!), high: near(high!) });
  });

  it.each(data.mcnemarMidP)('mid-p for $b and $c', ({ b, c, p }) => {
    expect(mcnemarMidP(b!, c!)).toBeCloseTo(p!, 9);
  });

  it.each(data.bonettPrice)('Bonett and Price for $b and $c of $n', ({ b, c, n, low, high }) => {
    expect(bonettPrice(pairs(b!, c!, n!))).toEqual({ low: near(low!), high: near(high!) });
  });

  it.each(data.t95)('the quantile of t with $degrees degrees of freedom', ({ degrees, t }) => {
    expect(t95(degrees!)).toBeCloseTo(t!, 8);
  });

  it.each(data.pairedT)('the paired t test', ({ differences, p, low, high }) => {
    const found = comparePaired(differences, own(differences));
    expect(found).toMatchObject({ method: 't', p: near(p), low: near(low), high: near(high) });
  });

  it.each(data.clustered)('errors in clusters', ({ differences, clusters, error, p, low, high }) => {
    expect(clusteredError(differences, clusters)).toBeCloseTo(error, 9);
    const found = comparePaired(differences, clusters);
    expect(found).toMatchObject({ method: 'clustered t', p: near(p), low: near(low), high: near(high) });
  });

  it.each(data.ranking)('AUROC and risk', ({ confidence, right, auroc, aurcSimulated }) => {
    const found = calibrate(confidence.map((one, at) => ({ confidence: one, right: right[at]! })));
    expect(found.auroc).toBeCloseTo(auroc, 9);
    expect(Math.abs(found.aurc! - aurcSimulated)).toBeLessThan(0.004);
  });

  it.each(data.kappa)('kappa', ({ first, second, kappa: wanted }) => {
    expect(kappa(first, second)).toBeCloseTo(wanted, 12);
  });
});

/** Creates a seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const trials = 2_000;

/** Returns how often the interval contains the true difference. */
function coverage(n: number, truth: number, draw: (random: () => number) => number, seed: number): number {
  const random = seeded(seed);
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const differences = Array.from({ length: n }, () => draw(random));
    const { low, high } = comparePaired(differences, own(differences));
    if (low <= truth && truth <= high) held += 1;
  }
  return held / trials;
}

const sizes = [20, 50, 200];
const discordances: readonly [number, number][] = [
  [0.08, 0.02],
  [0.15, 0.05],
  [0.2, 0.2],
  [0.4, 0.1],
];

describe('coverage of the 95 % interval of a difference', () => {
  it.each(sizes.flatMap((n) => discordances.map(([b, c]) => [n, b, c] as const)))(
    'right and wrong, %d samples, %d and %d discordant',
    (n, b, c) => {
      const found = coverage(n, b - c, (random) => ((u) => (u < b ? 1 : u < b + c ? -1 : 0))(random()), n);
      expect(found).toBeGreaterThanOrEqual(0.93);
      expect(found).toBeLessThanOrEqual(0.999);
    },
  );

  it.each(sizes)('graded scores, %d samples', (n) => {
    const graded = (random: () => number) => Math.round((random() - random()) * 4) / 4;
    const rare = (random: () => number) => ((u) => (u < 0.08 ? 0.5 : u < 0.1 ? -0.5 : 0))(random());
    for (const found of [coverage(n, 0, graded, n), coverage(n, 0.03, rare, n)]) {
      expect(found).toBeGreaterThanOrEqual(0.93);
      expect(found).toBeLessThanOrEqual(0.999);
    }
  });

  it.each(sizes)('Wilson for one arm, %d samples', (n) => {
    for (const share of [0.3, 0.5, 0.8]) {
      const random = seeded(n);
      let held = 0;
      for (let trial = 0; trial < trials; trial++) {
        const right = Array.from({ length: n }, () => Number(random() < share)).filter(Boolean).length;
        const { low, high } = wilson(right / n, n);
        if (low <= share && share <= high) held += 1;
      }
      expect(held / trials).toBeGreaterThanOrEqual(0.92);
      expect(held / trials).toBeLessThanOrEqual(0.999);
    }
  });
});

describe('edges', () => {
  it.each([
    [[0], { n: 1, difference: 0, p: 1, wins: 0, losses: 0, ties: 1 }],
    [[1], { n: 1, difference: 1, p: 1, low: -1, high: 1, wins: 1 }],
    [pairs(0, 0, 20), { difference: 0, p: 1, ties: 20, method: 'mcnemar' }],
    [pairs(20, 0, 20), { difference: 1, p: near(2 * 0.5 ** 20 - 0.5 ** 20), wins: 20 }],
    [Array.from({ length: 12 }, () => 0.5), { difference: 0.5, method: 't' }],
  ])('%j', (differences, wanted) => {
    expect(comparePaired(differences, own(differences))).toMatchObject(wanted);
  });

  it('requires about 149 samples if 20 % differ', () => {
    expect(samplesNeeded(pairs(300, 200, 2_500))).toBeGreaterThan(145);
    expect(samplesNeeded(pairs(300, 200, 2_500))).toBeLessThan(160);
  });

  it('uses clusters for texts that several samples share, if there are enough of them', () => {
    const differences = pairs(12, 6, 40);
    expect(
      comparePaired(
        differences,
        differences.map((_, at) => String(at % 2)),
      ).method,
    ).toBe('mcnemar');
    expect(
      comparePaired(
        differences,
        differences.map((_, at) => String(at % 8)),
      ).method,
    ).toBe('clustered t');
  });

  it('says nothing about missing confidences', () => {
    const none = { n: 0, unknown: 1, bias: null, error: null, aurc: null, auroc: null, riskAt: [] };
    expect(calibrate([{ confidence: null, right: 1 }])).toEqual(none);
    expect(calibrate([]).unknown).toBe(0);
  });

  it('finds the risk among the answers with the most confidence', () => {
    const answers = [0.9, 0.8, 0.7, 0.6].map((confidence, at) => ({ confidence, right: at < 2 ? 1 : 0 }));
    expect(calibrate(answers)).toMatchObject({
      unknown: 0,
      bias: near(0.25),
      auroc: 1,
      aurc: near((0 + 0 + 1 / 3 + 1 / 2) / 4),
    });
    expect(calibrate(answers).riskAt).toEqual([
      { coverage: 0.25, risk: 0 },
      { coverage: 0.5, risk: 0 },
      { coverage: 0.75, risk: near(1 / 3) },
      { coverage: 1, risk: 0.5 },
    ]);
  });

  it('subtracts from the calibration error what chance adds', () => {
    const random = seeded(7);
    const errors = Array.from({ length: 200 }, () =>
      debiasedError(
        Array.from({ length: 200 }, () => {
          const confidence = random();
          return { confidence, right: Number(random() < confidence) };
        }),
      ),
    );
    // For right confidences, the squared error is 0 on average, and its root is seldom far from 0.
    expect(errors.reduce((sum: number, one) => sum + one! ** 2, 0) / errors.length).toBeLessThan(0.0025);
    expect(debiasedError(Array.from({ length: 40 }, () => ({ confidence: 0.9, right: 0 })))).toBeCloseTo(0.9, 9);
    expect(debiasedError([{ confidence: 0.5, right: 1 }])).toBeNull();
  });
});
