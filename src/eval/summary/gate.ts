import { counted } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import type { SampleOutcome } from '../run/evaluation-journal.ts';
import { comparePaired } from '../statistics/intervals.ts';
import type { ArmComparison, ArmSummary, Summary } from './summarise.ts';

const metrics = {
  accuracy: (arm) => arm.accuracy,
  strict: (arm) => arm.strict,
  exact: (arm) => arm.exact,
  f1: (arm) => arm.f1,
  sources: (arm) => arm.sources,
  answered: (arm) => (arm.n === 0 ? null : 1 - arm.failed / arm.n),
} as const satisfies Record<string, (arm: ArmSummary) => number | null>;

const tenths = (share: number): number => Math.round(share * 1000) / 10;

/**
 * Reads a bar (a minimum score), such as `accuracy=80` or `auto.accuracy=80`. If the text names no arm, the bar applies
 * to all arms except the baseline. If there is only one arm, the bar applies to this arm.
 * @throws RlmError `usage`.
 */
export function minimumBar(text: string, arms: readonly string[]) {
  const [, named = null, metric = '', points] = /^(?:([\w.+-]+)\.)?(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const least = Number(points);
  const isKnown = Object.hasOwn(metrics, metric) && (named === null || arms.includes(named));
  if (!isKnown || least > 100)
    throw new RlmError('usage', `--min cannot be "${text}"`, {
      hint: `For example: --min accuracy=80, or --min auto.strict=60. The measures are ${Object.keys(metrics).join(', ')}.`,
    });
  return (summary: Summary) =>
    (named === null ? judgedArms(summary) : summary.arms.filter(({ name }) => name === named)).map((arm) => {
      const value = metrics[metric as keyof typeof metrics](arm);
      const bar = `${arm.name}.${metric} of at least ${least}`;
      if (value === null) return { bar, isReached: false, found: 'no sample has this score' };
      return { bar, isReached: tenths(value) >= least, found: String(tenths(value)) };
    });
}

const judgedArms = ({ arms, baseline }: Summary) => arms.filter(({ name }) => arms.length === 1 || name !== baseline);

/**
 * Returns a function that compares each arm with an earlier evaluation, on the samples that both have. An arm may score
 * at most `most` points lower.
 */
export const regressionBar =
  (most: number, before: readonly SampleOutcome[]) => (summary: Summary, now: readonly SampleOutcome[]) =>
    judgedArms(summary).map(({ name }) => {
      const old = new Map(before.flatMap(({ arm, sample, score }) => (arm === name ? [[sample, score.lenient]] : [])));
      const pairs = now.filter(({ arm, sample }) => arm === name && old.has(sample));
      const bar = `${name} at most ${most} points below the earlier evaluation`;
      if (pairs.length === 0) return { bar, isReached: false, found: 'no sample in common' };
      const differences = pairs.map(({ sample, score }) => score.lenient - old.get(sample)!);
      const clusters = pairs.map(({ sample }) => sample);
      const { difference, low, high } = comparePaired(differences, clusters);
      const found = `${tenths(difference)} points (${tenths(low)} to ${tenths(high)}) on ${counted(pairs.length, 'sample')}`;
      return { bar, isReached: tenths(difference) >= -most, found };
    });

export const points = (value: number): string => {
  const rounded = Math.round(Math.abs(value) * 100);
  return `${value < 0 && rounded > 0 ? '−' : ''}${rounded}`;
};

const range = (low: number, high: number): string => `${points(low)} to ${points(high)}`;

/** Returns text such as `, at 1.4 times the tokens`; empty if tokens and calls cannot be compared. */
function relativeCost({ times: { tokens, calls } }: ArmComparison): string {
  const known = tokens === null ? calls : tokens;
  if (known === null) return '';
  const word = tokens === null ? 'calls' : 'tokens';
  const shown = known >= 10 ? Math.round(known) : Math.round(known * 10) / 10;
  if (shown === 1) return `, at the same number of ${word}`;
  return `, at ${shown} times the ${word}`;
}

const isShown = ({ low, high }: Pick<ArmComparison, 'low' | 'high'>): boolean => low > 0 || high < 0;

export function comparisonInWords(comparison: ArmComparison): string {
  const { arm, baseline, difference, low, high, n, samplesNeeded } = comparison;
  const [count, cost] = [counted(n, 'sample'), relativeCost(comparison)];
  if (isShown(comparison)) {
    const by = `${points(Math.abs(difference))} points ${difference > 0 ? 'more' : 'less'} often`;
    const sure = difference > 0 ? range(low, high) : range(-high, -low);
    return `${arm} is right ${by} than ${baseline} (${sure}; ${count})${cost}.`;
  }
  const enough =
    n >= samplesNeeded
      ? 'a difference of 10 points would have been shown'
      : `about ${samplesNeeded} are needed to show 10 points`;
  return `No difference between ${arm} and ${baseline} can be shown with ${count} (${range(low, high)} points); ${enough}${cost}.`;
}

export function caveats({ arms, samples, complete, comparisons }: Summary): string[] {
  const failed = arms.filter((arm) => arm.failed > 0).map(({ name, failed: count }) => `${name} ${count}`);
  const cut = arms.filter(({ fromCutText }) => fromCutText > 0);
  const parts = cut.map(({ name, fromCutText, n }) => `${name} ${fromCutText} of ${n}`);
  const lists = arms.filter(({ accuracy, strict }) => accuracy - strict >= 0.1).map(({ name }) => name);
  const strictly = comparisons.filter((one) => isShown(one) && !isShown(one.strict)).map(({ arm }) => arm);
  return [
    ...(failed.length > 0 ? [`Failed, counted as wrong: ${failed.join(', ')}.`] : []),
    ...(parts.length > 0 ? [`The text was cut in the middle to fit one prompt: ${parts.join(', ')}.`] : []),
    ...(complete < samples ? [`Not every question was asked: ${complete} of ${samples} were asked of all arms.`] : []),
    ...(lists.length > 0
      ? [`By the strict score, ${lists.join(', ')} lost at least 10 points: replies hold more than the answer.`]
      : []),
    ...(strictly.length > 0 ? [`By the strict score no difference can be shown for ${strictly.join(', ')}.`] : []),
  ];
}
