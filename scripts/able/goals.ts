/** The goals of the measurement, and whether each is reached. */

import type { Evaluation } from '../../src/eval/run/evaluate.ts';
import type { SampleOutcome } from '../../src/eval/run/evaluation-journal.ts';
import { calibrate } from '../../src/eval/statistics/calibration.ts';
import { mean } from '../../src/eval/statistics/intervals.ts';
import { compareArms } from '../../src/eval/summary/summarise.ts';
import { armKinds, kindOf } from './measure.ts';

/** Kinds whose answer is not in a single passage. */
export const beyondOnePassage = ['hops', 'meaning', 'records', 'order', 'code', 'change'];

/** One line of the table of goals; `isReached` is null if nothing was measured. */
export interface Goal {
  readonly about: string;
  readonly goal: string;
  readonly found: string;
  readonly isReached: boolean | null;
}

const points = (share: number): string => (share * 100).toFixed(0).replace('-', '−');
const shareOf = (outcomes: readonly SampleOutcome[]): number => mean(outcomes.map(({ score }) => score.lenient));
const callsOf = (outcomes: readonly SampleOutcome[]): number => outcomes.reduce((sum, { calls }) => sum + calls, 0);
const tokensOf = (outcomes: readonly SampleOutcome[]): number =>
  outcomes.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

const unmeasured = (about: string, goal: string): Goal => ({ about, goal, found: 'not measured', isReached: null });

/** Returns the outcomes of an arm over some kinds. */
function select(
  { outcomes, samples }: Evaluation,
  arm: string,
  kinds: readonly string[] | null,
): readonly SampleOutcome[] {
  const kind = new Map(samples.map((sample) => [sample.id, kindOf(sample)]));
  return outcomes.filter((one) => one.arm === arm && (kinds?.includes(kind.get(one.sample)!) ?? true));
}

/** Compares two arms over some kinds; null if they have no question in common. */
function difference(evaluation: Evaluation, arm: string, baseline: string, kinds: readonly string[] | null) {
  const byArm = new Map([arm, baseline].map((name) => [name, select(evaluation, name, kinds)]));
  return compareArms(arm, baseline, byArm, new Map(evaluation.samples.map((sample) => [sample.id, sample])));
}

function againstRag(evaluation: Evaluation): Goal {
  const [about, goal] = ['auto − rag, questions beyond one passage', '≥ +40 points, interval above +10'];
  const found = difference(evaluation, 'auto', 'rag', beyondOnePassage);
  if (found === null) return unmeasured(about, goal);
  const { difference: by, low, high, n } = found;
  const text = `${points(by)} (${points(low)} to ${points(high)}; ${n} questions)`;
  return { about, goal, found: text, isReached: by >= 0.4 && low > 0.1 };
}

function againstBest(evaluation: Evaluation): Goal {
  const [about, goal] = ['auto − the best single arm', '≥ −3 points, calls ≤ 1.15 ×'];
  const names = evaluation.arms.map(({ name }) => name).filter((name) => name !== 'auto' && armKinds[name] === null);
  const others = names
    .map((name) => ({ name, own: select(evaluation, name, null) }))
    .filter(({ own }) => own.length > 0);
  const own = select(evaluation, 'auto', null);
  const [best] = others.sort((a, b) => shareOf(b.own) - shareOf(a.own) || callsOf(a.own) - callsOf(b.own));
  if (best === undefined || own.length === 0) return unmeasured(about, goal);
  const by = shareOf(own) - shareOf(best.own);
  const times = callsOf(own) / callsOf(best.own);
  const text = `${points(by)} against ${best.name}, ${times.toFixed(2)} × its calls`;
  return { about, goal, found: text, isReached: by >= -0.03 && times <= 1.15 };
}

function lookUps(evaluation: Evaluation): Goal {
  const [about, goal] = ['look-ups: auto', '≥ 95 % right, median 1 call, tokens ≤ 1.2 × rag'];
  const [own, rag] = ['auto', 'rag'].map((arm) => select(evaluation, arm, ['look-up'])) as [
    SampleOutcome[],
    SampleOutcome[],
  ];
  if (own.length === 0 || rag.length === 0) return unmeasured(about, goal);
  const [right, calls, times] = [shareOf(own), median(own.map((one) => one.calls)), tokensOf(own) / tokensOf(rag)];
  const found = `${points(right)} %, median ${calls}, ${times.toFixed(2)} ×`;
  return { about, goal, found, isReached: right >= 0.95 && calls <= 1 && times <= 1.2 };
}

function absent(evaluation: Evaluation): Goal {
  const [about, goal] = ['not in the text: auto says so', '≥ 90 %'];
  const own = select(evaluation, 'auto', ['absent']);
  if (own.length === 0) return unmeasured(about, goal);
  return { about, goal, found: `${points(shareOf(own))} % of ${own.length}`, isReached: shareOf(own) >= 0.9 };
}

/** The confidences of an arm: AUROC, calibration error, and the mean of right answers. */
export function confidencesOf(outcomes: readonly SampleOutcome[]) {
  const { auroc, error } = calibrate(outcomes.map(({ confidence, score }) => ({ confidence, right: score.lenient })));
  const rights = outcomes.flatMap(({ confidence, score }) =>
    confidence !== null && score.lenient >= 0.5 ? [confidence * 100] : [],
  );
  return { auroc, error, ofRight: rights.length === 0 ? null : mean(rights) };
}

function confidence(evaluation: Evaluation): Goal {
  const [about, goal] = ['confidence of auto: AUROC, calibration error, mean of right', '≥ .80, ≤ .08, ≥ 70'];
  const { auroc, error, ofRight } = confidencesOf(select(evaluation, 'auto', null));
  if (ofRight === null) return unmeasured(about, goal);
  const shown = (value: number | null) => value?.toFixed(2) ?? '–';
  const found = `${shown(auroc)}, ${shown(error)}, ${ofRight.toFixed(0)}`;
  const isReached = (auroc === null || auroc >= 0.8) && (error === null || error <= 0.08) && ofRight >= 70;
  return { about, goal, found, isReached };
}

function citations(judged: { readonly n: number; readonly holding: number } | null): Goal {
  const [about, goal] = ['citations whose lines hold what the statement says (both windows)', '≥ 95 %'];
  if (judged === null || judged.n === 0) return unmeasured(about, goal);
  const share = judged.holding / judged.n;
  return { about, goal, found: `${points(share)} % of ${judged.n} judged`, isReached: share >= 0.95 };
}

/** Returns all goals for one evaluation. */
export const goalsOf = (evaluation: Evaluation, judged: Parameters<typeof citations>[0]): readonly Goal[] => [
  againstRag(evaluation),
  againstBest(evaluation),
  lookUps(evaluation),
  absent(evaluation),
  confidence(evaluation),
  citations(judged),
];
