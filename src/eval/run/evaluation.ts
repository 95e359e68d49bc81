/** The options and the result of an evaluation. */

import type { RlmError } from '../../errors.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Allowance } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';
import type { ArmModel } from './inspect-arms.ts';
import type { SampleOutcome } from './outcome.ts';
import type { Spent } from './shared-budget.ts';

/** What to evaluate. */
export interface EvaluationOptions {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  /** Files, folders and globs that samples without their own are asked about. */
  readonly paths: readonly string[];
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** What all answers may spend together. */
  readonly limits: Allowance;
  /** Whether to resume the newest evaluation of the same samples, arms and settings. */
  readonly resume: boolean;
  /** A model that judges answers in addition to the scorers; null: none. */
  readonly judge: string | null;
  /** A folder of recordings: replies come from it where it has them, and are added to it otherwise; null: none. */
  readonly record: string | null;
  /** A folder of recordings to answer from; null: none. */
  readonly replay: string | null;
  readonly signal: AbortSignal;
  /** Called after each answer; must not throw. */
  readonly onProgress?: (progress: EvaluationProgress) => void;
  readonly provider?: Provider;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The progress of an evaluation. */
export interface EvaluationProgress {
  /** Answers so far, and in all. */
  readonly done: number;
  readonly total: number;
  /** Number and sum of scores of the answers so far, by arm. */
  readonly arms: readonly {
    readonly name: string;
    readonly n: number;
    readonly sum: number;
    readonly failed: number;
  }[];
  readonly spent: Spent;
  /** Estimated remaining time in ms, from the answers of this process; null before the first. */
  readonly leftMs: number | null;
}

/** One sample answered by one arm. */
export interface Answer {
  readonly sample: string;
  readonly arm: string;
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly id: string;
  readonly startedAt: string;
  readonly samples: readonly Sample[];
  readonly arms: readonly (Arm & { readonly model: ArmModel | null })[];
  readonly outcomes: readonly SampleOutcome[];
  /** Answers whose requests a replay did not find in the recordings, so that they have to be asked again. */
  readonly unrecorded: readonly Answer[];
  readonly judge: string | null;
  /** Notes for the user about the arms. */
  readonly notes: readonly string[];
  readonly spent: Spent;
  /** The reason of an early end; null where every sample was asked. */
  readonly stopped: RlmError | null;
}
