import { cutWarning } from '../../api/ask-plainly.ts';
import { kindOf } from '../../errors.ts';
import type { Evaluation } from '../run/evaluate.ts';
import type { SampleOutcome } from '../run/evaluation-journal.ts';
import { type Sample, wantedOf } from '../samples/read-samples.ts';
import { calibrate, kappa } from '../statistics/calibration.ts';
import { comparePaired, mean, wilson } from '../statistics/intervals.ts';

type ByArm = ReadonlyMap<string, readonly SampleOutcome[]>;

/** Returns the accuracy of outcomes: their mean score, 0–1. A run without an answer scores 0. */
export function accuracyOf(outcomes: readonly SampleOutcome[]) {
  const accuracy = mean(outcomes.map(({ score }) => score.lenient));
  const n = outcomes.length;
  return { n, accuracy, interval: n === 0 ? { low: 0, high: 1 } : wilson(accuracy, n) };
}

const bytesPerToken = 4;

/** Returns the length of a text in tokens, as 1000 times a power of two: `8k`; empty if unknown. */
function lengthOf(sample: Sample, bytes: number | null): string[] {
  const tokens = sample.tokens ?? (bytes === null ? null : bytes / bytesPerToken);
  if (tokens === null) return [];
  return [tokens < 1_000 ? '<1k' : `${2 ** Math.floor(Math.log2(tokens / 1_000) + 0.05)}k`];
}

function groupsBy(
  by: 'tag' | 'length' | 'depth',
  namesOf: (outcome: SampleOutcome) => readonly string[],
  byArm: ByArm,
) {
  const numberOf = (name: string) => Number.parseFloat(name.replace('<', '0.'));
  const all = new Set([...byArm.values()].flat().flatMap(namesOf));
  const names = [...all].sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  if (names.length < 2) return [];
  return names.map((name) => ({
    ...{ by, name },
    arms: [...byArm].flatMap(([arm, outcomes]) => {
      const part = outcomes.filter((outcome) => namesOf(outcome).includes(name));
      return part.length === 0 ? [] : [{ name: arm, ...accuracyOf(part) }];
    }),
  }));
}

function findGroups(byArm: ByArm, byId: ReadonlyMap<string, Sample>) {
  // A run that did not begin has no size.
  const sized = [...byArm.values()].flat().filter(({ bytes }) => bytes !== null);
  const sizes = new Map(sized.map(({ sample, bytes }) => [sample, bytes] as const));
  return [
    ...groupsBy('tag', ({ sample }) => byId.get(sample)!.tags, byArm),
    ...groupsBy('length', ({ sample }) => lengthOf(byId.get(sample)!, sizes.get(sample) ?? null), byArm),
    ...groupsBy('depth', ({ depth }) => [String(depth)], byArm),
  ];
}

const mostWorst = 10;

/**
 * Returns the samples on which an arm scored furthest below the baseline. Omits samples that only one of the two was
 * asked. With a single arm, returns the samples with the lowest scores.
 */
function findWorst(byArm: ByArm, baseline: string, byId: ReadonlyMap<string, Sample>) {
  const base = new Map(byArm.get(baseline)!.map((outcome) => [outcome.sample, outcome.score.lenient]));
  const arms = [...byArm].filter(([name]) => byArm.size === 1 || name !== baseline);
  const cases = arms.flatMap(([arm, outcomes]) =>
    outcomes.flatMap(({ sample: id, answer, runId, error, score }) => {
      if (!base.has(id)) return [];
      const sample = byId.get(id)!;
      const about = { sample: id, question: sample.question, wanted: wantedOf(sample), arm, score: score.lenient };
      const before = arm === baseline ? null : base.get(id)!;
      return [{ ...about, baseline: before, answer, error: error?.message ?? null, runId }];
    }),
  );
  const change = ({ score, baseline: before }: (typeof cases)[number]) => score - (before ?? 1);
  return cases
    .filter((one) => change(one) < 0)
    .sort((a, b) => change(a) - change(b))
    .slice(0, mostWorst);
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

const sum = (outcomes: readonly SampleOutcome[], pick: (outcome: SampleOutcome) => number): number =>
  outcomes.reduce((total, outcome) => total + pick(outcome), 0);

const costOf = (outcomes: readonly SampleOutcome[]): number | null =>
  outcomes.some(({ cost }) => cost === null) ? null : sum(outcomes, ({ cost }) => cost!);

/** Compares the judge with the scorer, which counts an answer as right if its lenient score is at least 0.5. */
function judgedOf(answers: readonly SampleOutcome[]) {
  const known = answers.flatMap(({ judged, score }) =>
    judged?.isRight == null ? [] : [[judged.isRight, score.lenient >= 0.5] as const],
  );
  if (known.length === 0) return null;
  const [judge, scorer] = [known.map(([one]) => one), known.map(([, two]) => two)];
  const agreed = mean(known.map(([one, two]) => Number(one === two)));
  const accuracy = mean(judge.map(Number));
  return { n: known.length, accuracy, agreed, kappa: kappa(judge, scorer) };
}

function summariseArm(name: string, outcomes: readonly SampleOutcome[], byId: ReadonlyMap<string, Sample>) {
  const answers = outcomes.filter(({ status }) => status === 'answered');
  return {
    name,
    ...accuracyOf(outcomes),
    /** Mean strict score. This field and the next three are 0–1. */
    strict: mean(outcomes.map(({ score }) => score.strict)),
    /** Mean exact-match score over the answered samples whose right answer is text; null if there is no such sample. */
    exact: meanOf(answers, ({ score }) => score.exact),
    f1: meanOf(answers, ({ score }) => score.f1),
    /** Mean recall of the documents that had to be cited, over answered samples; null if no sample names a document. */
    sources: meanOf(answers, ({ score }) => score.sources),
    /** Number of samples without an answer. They count as wrong. */
    failed: outcomes.length - answers.length,
    /** Answers that were cut short by a limit or a failure; they are scored. */
    cutShort: answers.filter(({ error }) => error !== null && kindOf(error) !== 'bar').length,
    /** Answers from a text that was cut in the middle to fit one prompt. */
    fromCutText: answers.filter(({ warnings }) => warnings.some((warning) => warning.startsWith(cutWarning))).length,
    givenUp: answers.filter(({ score, sample }) => score.absent && byId.get(sample)!.answerable).length,
    calls: sum(outcomes, ({ calls }) => calls),
    tokens: {
      input: sum(outcomes, ({ tokens }) => tokens.input),
      output: sum(outcomes, ({ tokens }) => tokens.output),
    },
    /** In USD; null where a price is unknown. */
    cost: costOf(outcomes),
    seconds: median(outcomes.map(({ seconds }) => seconds)),
    calibration: calibrate(answers.map(({ confidence, score }) => ({ confidence, right: score.lenient }))),
    judged: judgedOf(answers),
  };
}

export type ArmSummary = Readonly<ReturnType<typeof summariseArm>>;

const clusterOf = ({ paths, id }: Sample): string => (paths === null ? id : paths.join('\n'));

const ratio = (own: number | null, other: number | null): number | null =>
  own === null || other === null || other === 0 ? null : own / other;

/** Compares two arms on the samples that both were asked; null if there is no such sample. */
export function compareArms(arm: string, baseline: string, byArm: ByArm, byId: ReadonlyMap<string, Sample>) {
  const [own, other] = [byArm.get(arm)!, byArm.get(baseline)!];
  const others = new Map(other.map((outcome) => [outcome.sample, outcome]));
  const pairs = own.flatMap((one) => (others.has(one.sample) ? [[one, others.get(one.sample)!] as const] : []));
  if (pairs.length === 0) return null;
  const clusters = pairs.map(([one]) => clusterOf(byId.get(one.sample)!));
  const [lenient, strict] = (['lenient', 'strict'] as const).map((kind) => {
    const differences = pairs.map(([one, two]) => one.score[kind] - two.score[kind]);
    return comparePaired(differences, clusters);
  });
  const [mine, theirs] = [pairs.map(([one]) => one), pairs.map(([, two]) => two)];
  const timesOf = (of: (outcomes: readonly SampleOutcome[]) => number | null) => ratio(of(mine), of(theirs));
  const tokens = timesOf((outcomes) => sum(outcomes, ({ tokens: { input, output } }) => input + output));
  const calls = timesOf((outcomes) => sum(outcomes, (outcome) => outcome.calls));
  /** `times`: the arm's numbers divided by the baseline's. Null if either is unknown, or if the baseline's is 0. */
  return { arm, baseline, ...lenient!, strict: strict!, times: { tokens, calls, cost: timesOf(costOf) } };
}

export type ArmComparison = NonNullable<ReturnType<typeof compareArms>>;

export function summarise({ samples, arms, outcomes }: Evaluation, baseline: string) {
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

export type Summary = Readonly<ReturnType<typeof summarise>>;
