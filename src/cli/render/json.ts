import type { RlmError } from '../../errors.ts';
import { type EventListener, failedResult, type Result } from '../../index.ts';
import { escapeControls } from '../terminal.ts';

const toJson = (value: unknown): string => escapeControls(JSON.stringify(value));

/** The one object of `--json`. */
export const renderJson = (result: Result): string => `${toJson(result)}\n`;

/**
 * The last line of ndjson: `run.failed` when the status is failed, else `run.completed`; both hold the result.
 * @param seq its number: one more than the last event's.
 */
export function renderLastEvent(result: Result, seq: number): string {
  const type = result.status === 'failed' ? 'run.failed' : 'run.completed';
  return `${toJson({ seq, at: new Date().toISOString(), runId: result.runId, type, result })}\n`;
}

/** One line for each event, as it happens. */
export function createEventLines(write: (line: string) => void): { onEvent: EventListener; close(): void } {
  return { onEvent: (event) => write(`${toJson(event)}\n`), close: () => {} };
}

/** What a program that asked for JSON gets when the command line itself is wrong. */
export function writeFailure(error: RlmError, asEvents: boolean): string {
  const result = failedResult('', error);
  return asEvents ? renderLastEvent(result, 1) : renderJson(result);
}
