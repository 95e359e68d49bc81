import type { RlmError } from '../../errors.ts';
import { type EventListener, failedResult, type Result } from '../../index.ts';
import { toJson } from '../terminal.ts';

/** Formats the object of `--json`. */
export const renderJson = (result: Result): string => toJson(result);

/**
 * Formats the last line of ndjson: `run.failed` when the status is failed, else `run.completed`. Both contain the
 * result.
 * @param seq the number of the line, which is one more than that of the last event.
 */
export function renderLastEvent(result: Result, seq: number): string {
  const type = result.status === 'failed' ? 'run.failed' : 'run.completed';
  return toJson({ seq, at: new Date().toISOString(), runId: result.runId, type, result });
}

/** Creates a listener that writes a line for each event. */
export function createEventLines(write: (line: string) => void): { onEvent: EventListener; close(): void } {
  return { onEvent: (event) => write(toJson(event)), close: () => {} };
}

/** Formats an error as JSON for a run that could not begin. */
export function writeFailure(question: string, error: RlmError, asEvents: boolean): string {
  const result = failedResult(question, error);
  return asEvents ? renderLastEvent(result, 1) : renderJson(result);
}
