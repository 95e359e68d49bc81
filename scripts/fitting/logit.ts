/** Fits logistic models. The same examples always give the same weights. */

/** The features of an example, in the order of the weights. */
type Values = readonly number[];

/** Candidates for one question, and which of them are right. */
export interface Choice {
  readonly values: readonly Values[];
  readonly right: readonly boolean[];
}

export interface Labelled {
  readonly values: Values;
  readonly isRight: boolean;
}

/** Uses a plain loop, because it runs ten million times. */
function dot(weights: Values, values: Values): number {
  let sum = 0;
  for (let place = 0; place < weights.length; place += 1) sum += weights[place]! * values[place]!;
  return sum;
}

function addTo(slopes: number[], values: Values, factor: number): void {
  for (let place = 0; place < slopes.length; place += 1) slopes[place]! += factor * values[place]!;
}
export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Minimises by gradient descent (Adam), starting at zero. */
function descend(size: number, rate: number, steps: number, gradient: (weights: Values) => Values): number[] {
  const weights = Array.from({ length: size }, () => 0);
  const mean = weights.map(() => 0);
  const square = weights.map(() => 0);
  for (let step = 1; step <= steps; step += 1) {
    for (const [place, slope] of gradient(weights).entries()) {
      mean[place] = 0.9 * mean[place]! + 0.1 * slope;
      square[place] = 0.99 * square[place]! + 0.01 * slope ** 2;
      const deviation = Math.sqrt(square[place]! / (1 - 0.99 ** step)) + 1e-8;
      weights[place]! -= (rate * (mean[place]! / (1 - 0.9 ** step))) / deviation;
    }
  }
  return weights;
}

/** A choice with the features of all candidates in one array, which is several times as fast. */
interface Packed {
  readonly values: Float64Array;
  readonly right: readonly boolean[];
}

const pack = ({ values, right }: Choice): Packed => ({ values: Float64Array.from(values.flat()), right });

/** Writes the odds of each candidate into `odds`, scaled so that the likeliest has 1, and returns their sums. */
function weigh(weights: Values, { values, right }: Packed, odds: Float64Array): { all: number; ofRight: number } {
  const size = weights.length;
  let most = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < right.length; place += 1) {
    let sum = 0;
    for (let at = 0; at < size; at += 1) sum += weights[at]! * values[place * size + at]!;
    odds[place] = sum;
    if (sum > most) most = sum;
  }
  let [all, ofRight] = [0, 0];
  for (let place = 0; place < right.length; place += 1) {
    odds[place] = Math.exp(odds[place]! - most);
    all += odds[place]!;
    if (right[place]) ofRight += odds[place]!;
  }
  return { all, ofRight };
}

/** Adds the gradient of a choice to `slopes`. `odds`: a buffer with a number for each candidate. */
function addPull(slopes: number[], weights: Values, choice: Packed, share: number, odds: Float64Array): void {
  const { values, right } = choice;
  const { all, ofRight } = weigh(weights, choice, odds);
  const size = slopes.length;
  for (let place = 0; place < right.length; place += 1) {
    const pull = (odds[place]! / all - (right[place] ? odds[place]! / ofRight : 0)) * share;
    for (let at = 0; at < size; at += 1) slopes[at]! += pull * values[place * size + at]!;
  }
}

/** Fits a conditional logit: weights that make the right candidates of each choice the likeliest. */
export function fitChoices(choices: readonly Choice[], size: number): number[] {
  const telling = choices.filter(({ right }) => right.includes(true) && right.includes(false)).map(pack);
  const odds = new Float64Array(Math.max(0, ...telling.map(({ right }) => right.length)));
  return descend(size, 0.1, 400, (weights) => {
    const slopes = weights.map((weight) => 1e-3 * weight);
    for (const choice of telling) addPull(slopes, weights, choice, 1 / telling.length, odds);
    return slopes;
  });
}

/** Fits a logistic curve with Platt's targets. The constant is the first weight. */
export function fitOdds(examples: readonly Labelled[], size: number): number[] {
  const right = examples.filter(({ isRight }) => isRight).length;
  const targets = { right: (right + 1) / (right + 2), wrong: 1 / (examples.length - right + 2) };
  const rows = examples.map(({ values, isRight }) => ({
    values: [1, ...values],
    target: isRight ? targets.right : targets.wrong,
  }));
  return descend(size + 1, 0.05, 1500, (weights) => {
    const slopes = weights.map((weight) => 1e-4 * weight);
    for (const { values, target } of rows)
      addTo(slopes, values, (sigmoid(dot(weights, values)) - target) / rows.length);
    return slopes;
  });
}

/** Returns how often a right example scores above a wrong one. Ties count half. */
export function auroc(scores: readonly number[], isRight: readonly boolean[]): number {
  const order = scores.map((score, place) => ({ score, isRight: isRight[place]! })).sort((a, b) => a.score - b.score);
  const right = isRight.filter(Boolean).length;
  let ranks = 0;
  for (let from = 0; from < order.length; ) {
    const to = order.findIndex(({ score }, place) => place > from && score !== order[from]!.score);
    const end = to < 0 ? order.length : to;
    ranks += order.slice(from, end).filter((one) => one.isRight).length * ((from + end + 1) / 2);
    from = end;
  }
  return (ranks - (right * (right + 1)) / 2) / (right * (scores.length - right));
}

/**
 * Returns the mean distance between predicted and observed shares, in ten bins of equally many examples, minus the
 * distance expected by chance.
 */
export function calibrationError(said: readonly number[], isRight: readonly boolean[]): number {
  const order = said.map((score, place) => ({ score, isRight: isRight[place]! })).sort((a, b) => a.score - b.score);
  const bins = 10;
  const errors = Array.from({ length: bins }, (_, bin) => {
    const part = order.slice(Math.floor((bin * order.length) / bins), Math.floor(((bin + 1) * order.length) / bins));
    const mean = part.reduce((sum, { score }) => sum + score, 0) / part.length;
    const so = part.filter((one) => one.isRight).length / part.length;
    return Math.max(0, (mean - so) ** 2 - (so * (1 - so)) / (part.length - 1));
  });
  return Math.sqrt(errors.reduce((sum, error) => sum + error, 0) / bins);
}
