import type { RlmError } from '../../errors.ts';
import { type EventListener, failedResult, type Result } from '../../index.ts';

/** JSON without raw C1 control characters, which JSON.stringify leaves as they are and some terminals obey. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The one object of `--json`. */
export const renderJson = (result: Result): string => `${toJson(result)}\n`;

/** The last line of ndjson: `run.failed` when there is no answer, else `run.completed`; both hold the result. */
export function renderLastEvent(result: Result): string {
  const type = result.status === 'failed' ? 'run.failed' : 'run.completed';
  return `${toJson({ type, at: new Date().toISOString(), runId: result.runId, result })}\n`;
}

/** One line for each event, as it happens. */
export function createEventLines(write: (line: string) => void): { onEvent: EventListener; close(): void } {
  return { onEvent: (event) => write(`${toJson(event)}\n`), close: () => {} };
}

/** What a program that asked for JSON gets when the command line itself is wrong. */
export function writeFailure(error: RlmError, asEvents: boolean): string {
  const result = failedResult('', error);
  return asEvents ? renderLastEvent(result) : renderJson(result);
}
