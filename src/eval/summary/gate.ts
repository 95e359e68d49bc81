/** Checks an evaluation against bars. */
import { counted } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import type { SampleOutcome } from '../run/outcome.ts';
import { comparePaired } from '../statistics/intervals.ts';
import type { ArmSummary, Summary } from './summarise.ts';

/** A bar of `--min auto.accuracy=80`: without an arm it applies to all but the baseline. */
export interface MinimumBar {
  readonly arm: string | null;
  readonly metric: Metric;
  /** In points, 0–100. */
  readonly least: number;
}

const metrics = {
  accuracy: (arm) => arm.accuracy,
  strict: (arm) => arm.strict,
  exact: (arm) => arm.exact,
  f1: (arm) => arm.f1,
  sources: (arm) => arm.sources,
  answered: (arm) => (arm.n === 0 ? null : 1 - arm.failed / arm.n),
} as const satisfies Record<string, (arm: ArmSummary) => number | null>;

type Metric = keyof typeof metrics;

/** A bar, and whether it was reached. */
export interface BarResult {
  readonly bar: string;
  readonly isReached: boolean;
  /** The measured value, in words. */
  readonly found: string;
}

/**
 * Reads `accuracy=80` or `auto.accuracy=80`.
 * @throws RlmError `usage`.
 */
export function parseMinimum(text: string, arms: readonly string[]): MinimumBar {
  const [, arm = null, metric, least] = /^(?:([\w.+-]+)\.)?(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const isKnown = metric !== undefined && Object.hasOwn(metrics, metric) && (arm === null || arms.includes(arm));
  if (isKnown && Number(least) <= 100) return { arm, metric: metric as Metric, least: Number(least) };
  throw new RlmError('usage', `--min cannot be "${text}"`, {
    hint: `For example: --min accuracy=80, or --min auto.strict=60. It takes ${Object.keys(metrics).join(', ')}.`,
  });
}

const tenths = (share: number): number => Math.round(share * 1000) / 10;

function holdMinimum({ arm: named, metric, least }: MinimumBar, { arms, baseline }: Summary): BarResult[] {
  const wanted = arms.filter(({ name }) => (named === null ? arms.length === 1 || name !== baseline : name === named));
  return wanted.map((arm) => {
    const value = metrics[metric](arm);
    const bar = `${arm.name}.${metric} of at least ${least}`;
    if (value === null) return { bar, isReached: false, found: 'no sample has it' };
    return { bar, isReached: tenths(value) >= least, found: String(tenths(value)) };
  });
}

/** A bar for how far an arm may fall behind an earlier evaluation. */
export interface RegressionBar {
  /** In points. */
  readonly most: number;
  readonly before: readonly SampleOutcome[];
}

/** Checks a regression on common samples; an arm without any misses the bar, with that reason. */
function holdRegression(
  { most, before }: RegressionBar,
  now: readonly SampleOutcome[],
  { arms, baseline }: Summary,
): BarResult[] {
  const wanted = arms.filter(({ name }) => arms.length === 1 || name !== baseline);
  return wanted.map(({ name }) => {
    const old = new Map(
      before.filter(({ arm }) => arm === name).map((outcome) => [outcome.sample, outcome.score.lenient]),
    );
    const pairs = now.filter(({ arm, sample }) => arm === name && old.has(sample));
    const bar = `${name} at most ${most} points below the earlier evaluation`;
    if (pairs.length === 0) return { bar, isReached: false, found: 'no sample in common' };
    const differences = pairs.map(({ sample, score }) => score.lenient - old.get(sample)!);
    const { difference, low, high } = comparePaired(
      differences,
      pairs.map(({ sample }) => sample),
    );
    const found = `${tenths(difference)} points (${tenths(low)} to ${tenths(high)}) on ${counted(pairs.length, 'sample')}`;
    return { bar, isReached: tenths(difference) >= -most, found };
  });
}

/** Checks a summary against its bars. */
export const holdAgainst = (
  summary: Summary,
  now: readonly SampleOutcome[],
  minimums: readonly MinimumBar[],
  regression: RegressionBar | null,
): readonly BarResult[] => [
  ...minimums.flatMap((minimum) => holdMinimum(minimum, summary)),
  ...(regression === null ? [] : holdRegression(regression, now, summary)),
];
