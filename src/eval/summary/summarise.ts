/** Summarises an evaluation: each arm, and its comparison with the baseline on the same samples. */
import type { Evaluation } from '../run/evaluation.ts';
import type { SampleOutcome } from '../run/outcome.ts';
import type { Sample } from '../samples/sample.ts';
import { type Calibration, calibrate, kappa } from '../statistics/calibration.ts';
import { comparePaired, mean, type PairedDifference } from '../statistics/intervals.ts';
import {
  type ByArm,
  findGroups,
  findWorst,
  type MetricShare,
  type ResultGroup,
  shareOf,
  type WorstCase,
} from './parts.ts';

/** One arm's answers. */
export interface ArmSummary extends MetricShare {
  readonly name: string;
  /** Mean of the strict scores, 0–1, like all fields below except counts. */
  readonly strict: number;
  /** Mean exact match over the samples with an answer in words; null: none. */
  readonly exact: number | null;
  readonly f1: number | null;
  /** Recall of the documents that had to be cited; null: none. */
  readonly sources: number | null;
  /** Samples without an answer: they count as wrong. */
  readonly failed: number;
  /** Answers that were cut short by a limit or a failure; they are scored. */
  readonly cutShort: number;
  /** Answers from a text that was cut in the middle to fit one prompt. */
  readonly fromCutText: number;
  /** Answerable samples whose reply says that the text does not contain the answer. */
  readonly givenUp: number;
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Total in USD; null where a price is unknown. */
  readonly cost: number | null;
  /** Median time of an answer, in seconds. */
  readonly seconds: number;
  readonly calibration: Calibration;
  /** The judge's verdicts; null without a judge. */
  readonly judged: JudgedShare | null;
}

/** A judge's verdicts compared with the scorers. */
interface JudgedShare {
  /** Number of verdicts. */
  readonly n: number;
  /** Share that the judge considers right, 0–1. */
  readonly accuracy: number;
  /** Share on which judge and scorer agree, and Cohen's kappa, which corrects it for chance. */
  readonly agreed: number;
  readonly kappa: number | null;
}

/** The comparison of an arm with the baseline. */
export interface ArmComparison extends PairedDifference {
  readonly arm: string;
  readonly baseline: string;
  /** The comparison by strict scores. */
  readonly strict: PairedDifference;
  /** This arm's tokens, calls and cost divided by the baseline's; null where that has none. */
  readonly times: { readonly tokens: number | null; readonly calls: number | null; readonly cost: number | null };
}

export interface Summary {
  readonly arms: readonly ArmSummary[];
  readonly baseline: string;
  readonly comparisons: readonly ArmComparison[];
  readonly groups: readonly ResultGroup[];
  readonly worst: readonly WorstCase[];
  /** Number of samples, and of those that every arm answered. */
  readonly samples: number;
  readonly complete: number;
}

function meanOf(outcomes: readonly SampleOutcome[], pick: (outcome: SampleOutcome) => number | null): number | null {
  const known = outcomes.map(pick).filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length === 0 ? 0 : (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const costOf = (outcomes: readonly SampleOutcome[]): number | null =>
  outcomes.some(({ cost }) => cost === null) ? null : sum(outcomes.map(({ cost }) => cost ?? 0));

/** The warning of a plain call whose text was cut. */
const cutWarning = 'the middle of the text was cut';

/** Compares the judge with the scorer, for which an answer is right from 0.5. */
function judgedOf(answers: readonly SampleOutcome[]): JudgedShare | null {
  const known = answers.flatMap(({ judged, score }) =>
    judged?.isRight == null ? [] : [[judged.isRight, score.lenient >= 0.5] as const],
  );
  if (known.length === 0) return null;
  const [judge, scorer] = [known.map(([one]) => one), known.map(([, two]) => two)];
  const agreed = mean(known.map(([one, two]) => Number(one === two)));
  return { n: known.length, accuracy: mean(judge.map(Number)), agreed, kappa: kappa(judge, scorer) };
}

function summariseArm(name: string, outcomes: readonly SampleOutcome[], byId: ReadonlyMap<string, Sample>): ArmSummary {
  const answers = outcomes.filter(({ status }) => status === 'answered');
  return {
    name,
    ...shareOf(outcomes),
    strict: mean(outcomes.map(({ score }) => score.strict)),
    exact: meanOf(answers, ({ score }) => score.exact),
    f1: meanOf(answers, ({ score }) => score.f1),
    sources: meanOf(answers, ({ score }) => score.sources),
    failed: outcomes.length - answers.length,
    cutShort: answers.filter(({ error }) => error !== null && !['below-bar', 'not-found'].includes(error.code)).length,
    fromCutText: answers.filter(({ warnings }) => warnings.some((warning) => warning.startsWith(cutWarning))).length,
    givenUp: answers.filter(({ score, sample }) => score.absent && byId.get(sample)!.answerable).length,
    calls: sum(outcomes.map(({ calls }) => calls)),
    tokens: {
      input: sum(outcomes.map(({ tokens }) => tokens.input)),
      output: sum(outcomes.map(({ tokens }) => tokens.output)),
    },
    cost: costOf(outcomes),
    seconds: median(outcomes.map(({ seconds }) => seconds)),
    calibration: calibrate(answers.map(({ confidence, score }) => ({ confidence, right: score.lenient }))),
    judged: judgedOf(answers),
  };
}

const textOf = ({ paths, id }: Sample): string => (paths === null ? id : paths.join('\n'));

const ratio = (own: number | null, other: number | null): number | null =>
  own === null || other === null || other === 0 ? null : own / other;

const tokensOf = (outcomes: readonly SampleOutcome[]) =>
  sum(outcomes.map(({ tokens }) => tokens.input + tokens.output));

/** Compares two arms on the samples that both were asked; null where there are none. */
export function compareArms(
  arm: string,
  baseline: string,
  byArm: ByArm,
  byId: ReadonlyMap<string, Sample>,
): ArmComparison | null {
  const [own, other] = [byArm.get(arm)!, byArm.get(baseline)!];
  const others = new Map(other.map((outcome) => [outcome.sample, outcome]));
  const pairs = own.flatMap((one) => (others.has(one.sample) ? [[one, others.get(one.sample)!] as const] : []));
  if (pairs.length === 0) return null;
  const clusters = pairs.map(([one]) => textOf(byId.get(one.sample)!));
  const differences = (pick: (outcome: SampleOutcome) => number) => pairs.map(([one, two]) => pick(one) - pick(two));
  const [mine, theirs] = [pairs.map(([one]) => one), pairs.map(([, two]) => two)];
  return {
    arm,
    baseline,
    ...comparePaired(
      differences(({ score }) => score.lenient),
      clusters,
    ),
    strict: comparePaired(
      differences(({ score }) => score.strict),
      clusters,
    ),
    times: {
      tokens: ratio(tokensOf(mine), tokensOf(theirs)),
      calls: ratio(sum(mine.map(({ calls }) => calls)), sum(theirs.map(({ calls }) => calls))),
      cost: ratio(costOf(mine), costOf(theirs)),
    },
  };
}

/** Summarises an evaluation. */
export function summarise({ samples, arms, outcomes }: Evaluation, baseline: string): Summary {
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const byArm = new Map(arms.map(({ name }) => [name, outcomes.filter(({ arm }) => arm === name)]));
  const asked = (id: string) => [...byArm.values()].every((own) => own.some(({ sample }) => sample === id));
  return {
    arms: arms.map(({ name }) => summariseArm(name, byArm.get(name)!, byId)),
    baseline,
    comparisons: arms.flatMap(({ name }) =>
      name === baseline ? [] : (compareArms(name, baseline, byArm, byId) ?? []),
    ),
    groups: findGroups(byArm, byId),
    worst: findWorst(byArm, baseline, byId),
    samples: samples.length,
    complete: samples.filter(({ id }) => asked(id)).length,
  };
}
