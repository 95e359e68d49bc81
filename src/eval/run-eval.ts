import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { RlmError } from '../errors.ts';
import { armNames, parseArms } from './arms/arm.ts';
import { createReport, type EvaluationReport } from './report/render.ts';
import { type EvaluationOptions, evaluate } from './run/evaluate.ts';
import type { SampleOutcome } from './run/evaluation-journal.ts';
import { readSamples } from './samples/read-samples.ts';
import { minimumBar, regressionBar } from './summary/gate.ts';
import { summarise } from './summary/summarise.ts';

/** The options of `rlm eval`. */
export interface EvalOptions extends Omit<EvaluationOptions, 'samples' | 'arms'> {
  /** The file of questions. */
  readonly questions: string;
  /** Names of arms; `describedArms` has descriptions such as `8b: model=llama3.1:8b strategy=direct`. */
  readonly arms: readonly string[];
  readonly describedArms: readonly string[];
  /** Name of the arm to compare the others with; null: `plain` if it is among the arms, else the first arm. */
  readonly baseline: string | null;
  /** Minimum scores in percent, such as `accuracy=80` or `auto.strict=60`. */
  readonly minimums: readonly string[];
  /** Maximum loss since the earlier evaluation, in percentage points; null: no limit. */
  readonly maxRegression: number | null;
  /** The JSON file of an earlier evaluation; null: none. */
  readonly against: string | null;
}

function baselineOf(asked: string | null, names: readonly string[]): string {
  const name = asked ?? (names.includes('plain') ? 'plain' : names[0]!);
  if (names.includes(name)) return name;
  throw new RlmError('usage', `the baseline "${name}" is not an arm of this evaluation`, {
    hint: `The arms are ${names.join(', ')}; --arms takes ${armNames.join(', ')}.`,
  });
}

function readOutcomes(path: string): readonly SampleOutcome[] {
  const unreadable = (why: string) =>
    new RlmError('input-unreadable', `${path} is not a result of an evaluation: ${why}`, {
      hint: 'Write one with --report FILE.json, and name it with --against.',
    });
  try {
    const { schemaVersion, outcomes } = JSON.parse(readOwnText(path, stateBytes)) as Partial<EvaluationReport>;
    const isOutcome = (one: SampleOutcome) => typeof one?.sample === 'string' && typeof one.score?.lenient === 'number';
    if (schemaVersion === 1 && Array.isArray(outcomes) && outcomes.every(isOutcome)) return outcomes;
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  throw unreadable('it has no outcomes of schema version 1');
}

/**
 * Evaluates samples with arms. The report states the reason for an early end.
 * @throws RlmError when the evaluation cannot begin.
 */
export async function runEval(options: EvalOptions) {
  const samples = readSamples(options.questions);
  const arms = parseArms(options.arms, options.describedArms);
  const names = arms.map(({ name }) => name);
  const baseline = baselineOf(options.baseline, names);
  const { maxRegression, against, minimums } = options;
  const regressions =
    maxRegression === null || against === null ? [] : [regressionBar(maxRegression, readOutcomes(against))];
  const bars = [...minimums.map((text) => minimumBar(text, names)), ...regressions];
  const evaluation = await evaluate({ ...options, samples, arms });
  const summary = summarise(evaluation, baseline);
  const results = bars.flatMap((resultOf) => resultOf(summary, evaluation.outcomes));
  return { report: createReport(evaluation, summary, results), samples };
}
