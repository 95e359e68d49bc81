/** The options and the result of an evaluation, and the budget that its answers share. */

import type { RlmError } from '../../errors.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Allowance, Arm, ArmModel } from '../arms/arm.ts';
import type { Sample } from '../samples/read-samples.ts';
import type { SampleOutcome, Spent } from './evaluation-journal.ts';

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
interface Answer {
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

/** Part of the budget that an answer may spend. */
interface Grant {
  readonly allowance: Allowance;
  /** Records what was spent, and returns the rest to the budget. */
  settle(spent: Spent): void;
}

export interface SharedBudget {
  /** Takes a grant; null where too little is left. */
  take(): Grant | null;
  spent(): Spent;
}

const kinds = ['calls', 'tokens', 'usd'] as const;
type Kind = (typeof kinds)[number];

/** The least of each kind that an answer needs. */
const least: Readonly<Record<Kind, number>> = { calls: 1, tokens: 500, usd: 1e-9 };

/** Rounds an amount: money to 8 digits; calls and tokens to whole numbers. */
const round = (kind: Kind, amount: number) => (kind === 'usd' ? Math.floor(amount * 1e8) / 1e8 : Math.floor(amount));

/**
 * Creates a budget that concurrent answers cannot overspend: each gets its share of what no other holds.
 * @param limits the limits; null: no limit.
 * @param atOnce answers that hold a grant concurrently, at most.
 * @param before what was spent earlier.
 */
export function createSharedBudget(limits: Allowance, atOnce: number, before: Spent): SharedBudget {
  const spent = { ...before };
  const held = { calls: 0, tokens: 0, usd: 0 };
  let open = 0;

  function shareOf(kind: Kind): number | null {
    const limit = limits[kind];
    if (limit === null) return null;
    return round(kind, (limit - spent[kind] - held[kind]) / Math.max(1, atOnce - open));
  }

  return {
    take() {
      const allowance = { calls: shareOf('calls'), tokens: shareOf('tokens'), usd: shareOf('usd') };
      if (kinds.some((kind) => allowance[kind] !== null && allowance[kind] < least[kind])) return null;
      open += 1;
      for (const kind of kinds) held[kind] += allowance[kind] ?? 0;
      return {
        allowance,
        settle(used) {
          open -= 1;
          for (const kind of kinds) held[kind] -= allowance[kind] ?? 0;
          for (const kind of kinds) spent[kind] += used[kind];
        },
      };
    },
    spent: () => ({ ...spent }),
  };
}
