/** Groups samples by tag, length and depth, and finds the worst cases. */
import type { SampleOutcome } from '../run/outcome.ts';
import { type Sample, wantedOf } from '../samples/sample.ts';
import { type Interval, mean, wilson } from '../statistics/intervals.ts';

/** The accuracy of an arm in a group of samples. */
export interface MetricShare {
  readonly n: number;
  /** Mean score, 0–1; an answer that failed counts 0. */
  readonly accuracy: number;
  readonly interval: Interval;
}

/** The arms in a group of samples. */
export interface ResultGroup {
  readonly by: 'tag' | 'length' | 'depth';
  readonly name: string;
  readonly arms: readonly (MetricShare & { readonly name: string })[];
}

/** A sample on which an arm did worse than the baseline, or badly without a baseline. */
export interface WorstCase {
  readonly sample: string;
  readonly question: string;
  readonly wanted: string;
  readonly arm: string;
  readonly score: number;
  /** Score of the baseline; null where this is the baseline. */
  readonly baseline: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly runId: string | null;
}

/** Outcomes by the name of their arm. */
export type ByArm = ReadonlyMap<string, readonly SampleOutcome[]>;

const noInterval: Interval = { low: 0, high: 1 };

/** Returns the accuracy of outcomes. */
export function shareOf(outcomes: readonly SampleOutcome[]): MetricShare {
  const accuracy = mean(outcomes.map(({ score }) => score.lenient));
  const n = outcomes.length;
  return { n, accuracy, interval: n === 0 ? noInterval : wilson(accuracy, n) };
}

const bytesPerToken = 4;

/** Returns the length of a sample's text, rounded down to a power of two of thousands of tokens: `8k`. */
function lengthOf(sample: Sample, bytes: number | null): string | null {
  const tokens = sample.tokens ?? (bytes === null ? null : bytes / bytesPerToken);
  if (tokens === null) return null;
  return tokens < 1_000 ? '<1k' : `${2 ** Math.floor(Math.log2(tokens / 1_000) + 0.05)}k`;
}

/** Groups outcomes. A sample's group is the same for all arms, except for the depth that each arm reached. */
function groupsBy(
  by: ResultGroup['by'],
  namesOf: (outcome: SampleOutcome) => readonly string[],
  byArm: ByArm,
): ResultGroup[] {
  const parts = new Map<string, Map<string, SampleOutcome[]>>();
  for (const [arm, outcomes] of byArm)
    for (const outcome of outcomes)
      for (const name of namesOf(outcome)) {
        const part = parts.get(name) ?? new Map<string, SampleOutcome[]>();
        parts.set(name, part.set(arm, [...(part.get(arm) ?? []), outcome]));
      }
  const numberOf = (name: string) => Number.parseFloat(name.replace('<', '0.'));
  const names = [...parts.keys()].sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  if (names.length < 2) return [];
  return names.map((name) => ({
    by,
    name,
    arms: [...parts.get(name)!].map(([arm, outcomes]) => ({ name: arm, ...shareOf(outcomes) })),
  }));
}

/** Returns the groups, where there are two or more of a kind. */
export function findGroups(byArm: ByArm, byId: ReadonlyMap<string, Sample>): ResultGroup[] {
  const sizes = new Map([...byArm.values()].flat().map(({ sample, bytes }) => [sample, bytes] as const));
  const length = ({ sample }: SampleOutcome) => lengthOf(byId.get(sample)!, sizes.get(sample) ?? null) ?? [];
  return [
    ...groupsBy('tag', ({ sample }) => byId.get(sample)!.tags, byArm),
    ...groupsBy('length', (outcome) => [length(outcome)].flat(), byArm),
    ...groupsBy('depth', ({ depth }) => [String(depth)], byArm),
  ];
}

const mostWorst = 10;

/** Finds the samples on which an arm lost most to the baseline; with a single arm, those with its lowest scores. */
export function findWorst(byArm: ByArm, baseline: string, byId: ReadonlyMap<string, Sample>): WorstCase[] {
  const base = new Map(byArm.get(baseline)!.map((outcome) => [outcome.sample, outcome.score.lenient]));
  const arms = [...byArm].filter(([name]) => byArm.size === 1 || name !== baseline);
  const cases = arms.flatMap(([arm, outcomes]) =>
    outcomes.map((outcome): WorstCase => {
      const sample = byId.get(outcome.sample)!;
      const { answer, runId, error, score } = outcome;
      const before = arm === baseline ? null : (base.get(outcome.sample) ?? null);
      const about = { sample: sample.id, question: sample.question, wanted: wantedOf(sample), arm };
      return { ...about, score: score.lenient, baseline: before, answer, error: error?.message ?? null, runId };
    }),
  );
  const lost = ({ score, baseline: before }: WorstCase) => score - (before ?? 1);
  return cases
    .filter((one) => lost(one) < 0)
    .sort((a, b) => lost(a) - lost(b))
    .slice(0, mostWorst);
}
