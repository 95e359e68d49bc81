/**
 * A curve from a confidence to the probability that an answer is right:
 * 1 / (1 + exp(−(constant + slope · confidence))).
 */
export interface Curve {
  readonly constant: number;
  /** Slope per unit of confidence, which is 0–1. */
  readonly slope: number;
}

const steps = 50;
/** Keeps the fit finite where confidences separate right from wrong perfectly. */
const ridge = 1e-3;

export const onFittedCurve = ({ constant, slope }: Curve, confidence: number): number =>
  1 / (1 + Math.exp(-(constant + slope * confidence)));

/**
 * Fits a logistic curve by Newton's method, with the targets of Platt (1999): (n₊ + 1) / (n₊ + 2) for right answers
 * and 1 / (n₋ + 2) for wrong ones, so that few answers have little effect.
 */
export function fitCurve(answers: readonly { readonly confidence: number; readonly isRight: boolean }[]): Curve {
  const rights = answers.filter(({ isRight }) => isRight).length;
  const targets = [1 / (answers.length - rights + 2), (rights + 1) / (rights + 2)] as const;
  let [constant, slope] = [0, 0];
  for (let step = 0; step < steps; step++) {
    let [gradient0, gradient1, h00, h01, h11] = [0, ridge * slope, ridge, 0, ridge];
    for (const { confidence, isRight } of answers) {
      const said = onFittedCurve({ constant, slope }, confidence);
      const [error, weight] = [said - targets[isRight ? 1 : 0], said * (1 - said)];
      gradient0 += error;
      gradient1 += error * confidence;
      h00 += weight;
      h01 += weight * confidence;
      h11 += weight * confidence * confidence;
    }
    const determinant = h00 * h11 - h01 * h01;
    constant -= (h11 * gradient0 - h01 * gradient1) / determinant;
    slope -= (h00 * gradient1 - h01 * gradient0) / determinant;
  }
  return { constant, slope };
}
