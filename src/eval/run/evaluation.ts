/** What an evaluation is given, and what it comes to. */
import type { Provider, RlmError } from '../../index.ts';
import type { Allowance } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';
import type { ArmModel } from './inspect-arms.ts';
import type { Outcome } from './outcome.ts';
import type { Spent } from './shared-budget.ts';

/** What to evaluate. */
export interface EvaluationOptions {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  /** Files, folders and globs that samples without their own are asked about. */
  readonly paths: readonly string[];
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** What all answers together may spend. */
  readonly limits: Allowance;
  /** Whether to go on with the newest evaluation of the same samples, arms and settings. */
  readonly resume: boolean;
  /** A model that judges answers beside the scorers; null: none. */
  readonly judge: string | null;
  /** A folder of recordings to write, or to answer from; null: none. */
  readonly record: string | null;
  readonly replay: string | null;
  readonly signal: AbortSignal;
  /** Called when an answer is there; it must not throw. */
  readonly onProgress?: (progress: Progress) => void;
  readonly provider?: Provider;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How far an evaluation is. */
export interface Progress {
  /** Answers so far, and in all. */
  readonly done: number;
  readonly total: number;
  /** Of those that are there, by arm: how many, and the sum of their scores. */
  readonly arms: readonly {
    readonly name: string;
    readonly n: number;
    readonly sum: number;
    readonly failed: number;
  }[];
  readonly spent: Spent;
  /** Until the end, in ms, by the answers of this process; null before the first. */
  readonly leftMs: number | null;
}

/** What all arms made of the samples. */
export interface Evaluation {
  readonly id: string;
  readonly startedAt: string;
  readonly samples: readonly Sample[];
  readonly arms: readonly (Arm & { readonly model: ArmModel | null })[];
  readonly outcomes: readonly Outcome[];
  readonly judge: string | null;
  /** What the user should know of those who answer. */
  readonly notes: readonly string[];
  readonly spent: Spent;
  /** Why it ended before every sample was asked; null where it did not. */
  readonly stopped: RlmError | null;
}
