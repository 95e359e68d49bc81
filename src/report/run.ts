import type { Trajectory } from '../journal/trajectory.ts';
import type { Result } from '../result.ts';
import type { Tokens } from '../state.ts';

/** A call of a run without a trajectory, as recorded in its journal. */
export interface JournalCall {
  readonly place: string;
  readonly prompt: string;
  readonly text: string;
  readonly tokens: Tokens;
}

/** The text of a run's question. */
export interface AskedText {
  readonly documents: number;
  readonly bytes: number;
  /** The first documents. */
  readonly first: readonly { readonly name: string; readonly bytes: number }[];
}

/** A run as reports use it. */
export interface ReportRun {
  readonly result: Result;
  /** The start time in ISO 8601. Null when it is unknown. */
  readonly at: string | null;
  /** Null when it is unknown. */
  readonly text: AskedText | null;
  /** Null when it was not kept. The report then has no prompts, no times and no lines around citations. */
  readonly trajectory: Trajectory | null;
  /** The calls from the journal, used only when there is no trajectory. */
  readonly calls: readonly JournalCall[];
}

/**
 * Converts the result of a run that has just ended.
 * @param trajectory the trajectory; null for a run that could not begin.
 */
export function endedRun(result: Result, trajectory: Trajectory | null): ReportRun {
  const started = trajectory?.events.find((event) => event.type === 'run.started');
  const text = started && { documents: started.documents, bytes: started.bytes, first: trajectory!.documents };
  return { result, at: started?.at ?? null, text: text ?? null, trajectory, calls: [] };
}
