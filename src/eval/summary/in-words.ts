/** Describes comparisons in plain words. */
import type { ArmComparison, Summary } from './summarise.ts';

/** Formats a difference of scores in percentage points. */
const points = (value: number): string => {
  const rounded = Math.round(Math.abs(value) * 100);
  return `${value < 0 && rounded > 0 ? '−' : ''}${rounded}`;
};

const many = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

const range = (low: number, high: number): string => `${points(low)} to ${points(high)}`;

/** Returns `1.4 times the tokens`; empty where the baseline has none. */
function atWhat({ times: { tokens, calls } }: ArmComparison): string {
  const known = tokens === null ? calls : tokens;
  if (known === null) return '';
  const word = tokens === null ? 'calls' : 'tokens';
  const shown = known >= 10 ? Math.round(known) : Math.round(known * 10) / 10;
  if (shown === 1) return `, at as many ${word}`;
  return `, at ${shown} times the ${word}`;
}

/** Whether the interval excludes 0, so that one of the two is better. */
const isShown = ({ low, high }: Pick<ArmComparison, 'low' | 'high'>): boolean => low > 0 || high < 0;

function shown(comparison: ArmComparison): string {
  const { arm, baseline, difference, low, high, n } = comparison;
  const sure = difference > 0 ? range(low, high) : range(-high, -low);
  const way = difference > 0 ? 'more' : 'less';
  const by = `${points(Math.abs(difference))} points ${way} often`;
  return `${arm} is right ${by} than ${baseline} (${sure}; ${many(n, 'sample')})${atWhat(comparison)}.`;
}

function notShown(comparison: ArmComparison): string {
  const { arm, baseline, low, high, n, samplesNeeded } = comparison;
  const head = `No difference between ${arm} and ${baseline} can be shown with ${many(n, 'sample')}`;
  const enough =
    n >= samplesNeeded
      ? 'a difference of 10 points would have been shown'
      : `about ${samplesNeeded} are needed to show 10 points`;
  return `${head} (${range(low, high)} points); ${enough}${atWhat(comparison)}.`;
}

/** Describes a comparison in a sentence. */
export const comparisonInWords = (comparison: ArmComparison): string =>
  isShown(comparison) ? shown(comparison) : notShown(comparison);

/** Returns the caveats of a summary. */
export function caveats({ arms, samples, complete, comparisons }: Summary): string[] {
  const failed = arms.filter((arm) => arm.failed > 0).map(({ name, failed: count }) => `${name} ${count}`);
  const cut = arms.filter(({ fromCutText }) => fromCutText > 0);
  const parts = cut.map(({ name, fromCutText, n }) => `${name} ${fromCutText} of ${n}`);
  const lists = arms.filter(({ accuracy, strict }) => accuracy - strict >= 0.1).map(({ name }) => name);
  const strictly = comparisons.filter((one) => isShown(one) && !isShown(one.strict)).map(({ arm }) => arm);
  return [
    ...(failed.length > 0 ? [`Failed, counted as wrong: ${failed.join(', ')}.`] : []),
    ...(parts.length > 0 ? [`The text was cut in the middle to fit one prompt: ${parts.join(', ')}.`] : []),
    ...(complete < samples ? [`Not every question was asked: ${complete} of ${samples} by all arms.`] : []),
    ...(lists.length > 0
      ? [`The strict score is 10 points or more below for ${lists.join(', ')}: replies hold more than the answer.`]
      : []),
    ...(strictly.length > 0 ? [`By the strict score no difference can be shown for ${strictly.join(', ')}.`] : []),
  ];
}
