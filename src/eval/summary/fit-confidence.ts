import type { SampleOutcome } from '../run/evaluation-journal.ts';
import { type Calibration, calibrate, fitCurve, onFittedCurve } from '../statistics/calibration.ts';

/** Minimum number of answers for a fit; half of them are held out. */
const fewestAnswers = 60;
/** Each half needs at least this many right answers, and at least this many wrong answers. */
const fewestOfEach = 8;

const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

const hasBoth = (half: readonly { readonly isRight: boolean }[]): boolean => {
  const rights = half.filter(({ isRight }) => isRight).length;
  return Math.min(rights, half.length - rights) >= fewestOfEach;
};

function knownOf(outcomes: readonly SampleOutcome[], arm: string, kind: SampleOutcome['confidenceKind']) {
  return outcomes
    .filter((one) => one.arm === arm && one.confidenceKind === kind)
    .sort((one, other) => (one.sample < other.sample ? -1 : 1))
    .flatMap(({ confidence, score }) =>
      confidence === null ? [] : [{ confidence, right: score.lenient, isRight: score.lenient >= 0.5 }],
    );
}

/** Returns why a curve is refused; null if the curve reduces the calibration error on the held-out answers. */
function whyNoBetter(before: Calibration, after: Calibration): string | null {
  if (before.error === null || after.error === null) return 'too few answers were held out to test the fit';
  const [was, is] = [before.error, after.error].map((error) => error.toFixed(3));
  return after.error < before.error
    ? null
    : `the curve is no better on the held-out answers (calibration error ${was} before, ${is} after)`;
}

/**
 * Fits a curve that turns a confidence into the probability of a right answer. Fits on every second answer and tests on
 * the rest.
 */
export function fitConfidence(outcomes: readonly SampleOutcome[], arm: string) {
  const isMatch = outcomes.some((one) => one.arm === arm && one.confidenceKind === 'match');
  const kind = isMatch ? 'match' : 'evidence';
  const known = knownOf(outcomes, arm, kind);
  const [half, rest] = [0, 1].map((part) => known.filter((_, at) => at % 2 === part)) as [typeof known, typeof known];
  const about = { arm, kind, fitted: half.length, heldOut: rest.length } as const;
  const refuse = (refused: string) => ({ ...about, curve: null, before: null, after: null, refused });
  if (known.length < fewestAnswers)
    return refuse(`${known.length} answers have a confidence, and at least ${fewestAnswers} are needed`);
  if (!hasBoth(half) || !hasBoth(rest))
    return refuse(`each half needs at least ${fewestOfEach} right and ${fewestOfEach} wrong answers`);
  const exact = fitCurve(half);
  const curve = { constant: rounded(exact.constant), slope: rounded(exact.slope) };
  if (curve.slope <= 0) return refuse('right answers do not have more confidence than wrong ones');
  const before = calibrate(rest);
  const after = calibrate(rest.map((one) => ({ ...one, confidence: onFittedCurve(curve, one.confidence) })));
  const refused = whyNoBetter(before, after);
  return { ...about, curve: refused === null ? curve : null, before, after, refused };
}

const shown = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(3));

/** Describes a fit in words. @param path the file that the curve was written to; null if no curve was written. */
export function fitInWords(
  { arm, kind, fitted, heldOut, curve, before, after, refused }: ReturnType<typeof fitConfidence>,
  path: string | null,
): string {
  const lines = [`Confidence of ${arm} (${kind}), fitted to ${fitted} answers and tested on ${heldOut} others:`];
  if (before && after)
    lines.push(
      `  calibration error ${shown(before.error)} before, ${shown(after.error)} after; too confident by ${shown(before.bias)} before, ${shown(after.bias)} after; AUROC ${shown(before.auroc)}`,
    );
  if (refused !== null) lines.push(`  nothing was written: ${refused}`);
  else lines.push(`  ${path} now has confidenceMap.${kind} = ${JSON.stringify(curve)}`);
  return `${lines.join('\n')}\n`;
}
