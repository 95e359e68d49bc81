import type { Trajectory } from '../journal/trajectory.ts';
import type { Result } from '../result.ts';
import type { Tokens } from '../state.ts';

/** A call of which no more is known than its journal says. */
export interface JournalCall {
  readonly place: string;
  readonly prompt: string;
  readonly text: string;
  readonly tokens: Tokens;
}

/** What a run was asked about. */
export interface AskedText {
  readonly documents: number;
  readonly bytes: number;
  /** The first documents. */
  readonly first: readonly { readonly name: string; readonly bytes: number }[];
}

/** A run as reports are made of it. */
export interface ReportRun {
  readonly result: Result;
  /** When it began, ISO 8601; null when that is not known. */
  readonly at: string | null;
  /** Null when that is not known. */
  readonly text: AskedText | null;
  /** Null when it was not kept: there are no prompts, no times and no lines around citations then. */
  readonly trajectory: Trajectory | null;
  /** Read only where there is no trajectory. */
  readonly calls: readonly JournalCall[];
}

/**
 * A run that has just ended.
 * @param trajectory null for a run that could not begin.
 */
export function endedRun(result: Result, trajectory: Trajectory | null): ReportRun {
  const started = trajectory?.events.find((event) => event.type === 'run.started');
  const text = started && { documents: started.documents, bytes: started.bytes, first: trajectory!.documents };
  return { result, at: started?.at ?? null, text: text ?? null, trajectory, calls: [] };
}
