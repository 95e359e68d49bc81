/** Fits the curves of support on WiCE, and compares them with the share of words. */
import { contentTerms } from '../../src/context/words/terms.ts';
import { readEvidence } from '../../src/evidence/support/evidence-text.ts';
import { readSignals, type Signals } from '../../src/evidence/support/signals.ts';
import { anyCurve, type Curve, fullCurve, oddsOf } from '../../src/evidence/support/weights.ts';
import { auroc, calibrationError, fitOdds } from './logit.ts';
import type { WiceClaim } from './wice.ts';

export interface Example {
  readonly signals: Signals;
  /** The share of the claim's words that the page contains. */
  readonly words: number;
  readonly label: WiceClaim['label'];
  readonly article: string;
}

export const toExample = ({ claim, label, article, passages }: WiceClaim): Example => {
  const found = new Set(passages.flatMap(({ text }) => contentTerms(text)));
  const said = [...new Set(contentTerms(claim))];
  const words = said.filter((term) => found.has(term)).length / Math.max(1, said.length);
  return { signals: readSignals(claim, readEvidence(passages)), words, label, article };
};

const isFull = ({ label }: Example): boolean => label === 'supported';
const isAny = ({ label }: Example): boolean => label !== 'not_supported';

/** One of the curves with its features. */
export interface Head {
  readonly name: string;
  readonly shipped: Curve;
  readonly isRight: (example: Example) => boolean;
}

export const heads: readonly Head[] = [
  { name: 'supported', shipped: fullCurve, isRight: isFull },
  { name: 'any', shipped: anyCurve, isRight: isAny },
];

export function fitCurve({ shipped, isRight }: Head, examples: readonly Example[]): Curve {
  const names = Object.keys(shipped.weights) as (keyof Signals)[];
  const labelled = examples.map((one) => ({ values: names.map((name) => one.signals[name]), isRight: isRight(one) }));
  const [constant, ...weights] = fitOdds(labelled, names.length);
  return { constant: constant!, weights: Object.fromEntries(names.map((name, place) => [name, weights[place]!])) };
}

const folds = 10;

/** The score of each example by curves that were fitted on other articles. */
export function crossValidated(head: Head, examples: readonly Example[]): number[] {
  const articles = [...new Set(examples.map(({ article }) => article))];
  const foldOf = new Map(articles.map((article, place) => [article, place % folds]));
  const curves = Array.from({ length: folds }, (_, fold) =>
    fitCurve(
      head,
      examples.filter(({ article }) => foldOf.get(article) !== fold),
    ),
  );
  return examples.map(({ signals, article }) => oddsOf(curves[foldOf.get(article)!]!, signals));
}

/** One line with the AUROC and calibration error of scores. */
export function measured(scores: readonly number[], isRight: readonly boolean[]): string {
  return `AUROC ${auroc(scores, isRight).toFixed(3)}  calibration error ${calibrationError(scores, isRight).toFixed(3)}`;
}

export const showCurve = ({ constant, weights }: Curve): string =>
  ['constant', ...Object.keys(weights)]
    .map((name, place) => `${name} ${(place === 0 ? constant : Object.values(weights)[place - 1]!).toFixed(2)}`)
    .join('  ');
