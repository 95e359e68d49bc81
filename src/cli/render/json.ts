import type { RlmError } from '../../errors.ts';
import { type EventListener, failedResult, type Result } from '../../index.ts';
import { toJson } from '../terminal.ts';

/** The one object of `--json`. */
export const renderJson = (result: Result): string => toJson(result);

/**
 * The last line of ndjson: `run.failed` when the status is failed, else `run.completed`; both hold the result.
 * @param seq its number: one more than the last event's.
 */
export function renderLastEvent(result: Result, seq: number): string {
  const type = result.status === 'failed' ? 'run.failed' : 'run.completed';
  return toJson({ seq, at: new Date().toISOString(), runId: result.runId, type, result });
}

/** One line for each event, as it happens. */
export function createEventLines(write: (line: string) => void): { onEvent: EventListener; close(): void } {
  return { onEvent: (event) => write(toJson(event)), close: () => {} };
}

/** What a program that asked for JSON gets when the run could not even be tried. */
export function writeFailure(question: string, error: RlmError, asEvents: boolean): string {
  const result = failedResult(question, error);
  return asEvents ? renderLastEvent(result, 1) : renderJson(result);
}
