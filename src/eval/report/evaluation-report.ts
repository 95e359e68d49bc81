import type { ErrorInfo } from '../../errors.ts';
import type { Arm } from '../arms/arm.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { ArmModel } from '../run/inspect-arms.ts';
import type { SampleOutcome } from '../run/outcome.ts';
import type { BarResult } from '../summary/gate.ts';
import { caveats, comparisonInWords } from '../summary/in-words.ts';
import type { Summary } from '../summary/summarise.ts';

/** What `rlm eval --json` prints. Within one version fields are added, never changed. */
export interface EvaluationReport extends Summary {
  readonly schemaVersion: 1;
  readonly evaluation: string;
  readonly startedAt: string;
  /** complete: every arm answered every sample. partial: it ended early, and `error` says why. */
  readonly status: 'complete' | 'partial';
  /** The arms: their additional settings, and the model; null where recordings replied. */
  readonly asked: readonly (Arm & { readonly model: ArmModel | null })[];
  /** The comparisons and caveats in plain words. */
  readonly sentences: readonly string[];
  readonly bars: readonly BarResult[];
  /** The model that judged; null: none. */
  /** Answers that the recordings of a replay lack. */
  readonly unrecorded: Evaluation['unrecorded'];
  readonly judge: string | null;
  readonly spent: Evaluation['spent'];
  /** Every answer with its score, with which a later evaluation can be compared. */
  readonly outcomes: readonly SampleOutcome[];
  readonly error: ErrorInfo | null;
}

/** Creates the report, from which all forms are rendered. */
export function createReport(evaluation: Evaluation, summary: Summary, bars: readonly BarResult[]): EvaluationReport {
  const { judge, id, startedAt, arms, outcomes, unrecorded, spent, stopped } = evaluation;
  const lacking = arms.flatMap(({ name }) => {
    const ids = unrecorded.filter(({ arm }) => arm === name).map(({ sample }) => sample);
    return ids.length === 0 ? [] : [`To be asked again, ${name}: ${ids.join(', ')}.`];
  });
  return {
    schemaVersion: 1,
    evaluation: id,
    startedAt,
    status: stopped === null ? 'complete' : 'partial',
    ...summary,
    asked: arms,
    sentences: [...summary.comparisons.map(comparisonInWords), ...caveats(summary), ...lacking, ...evaluation.notes],
    bars,
    unrecorded,
    judge,
    spent,
    outcomes,
    error: stopped?.toInfo() ?? null,
  };
}
