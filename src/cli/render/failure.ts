import type { RlmError } from '../../errors.ts';
import { failedResult } from '../../result.ts';
import { toJson } from '../terminal.ts';
import { renderLastEvent } from './result.ts';

/** Formats the failed result of a run that could not begin, as JSON or as the last event. */
export function writeFailure(question: string, error: RlmError, asEvents: boolean): string {
  const result = failedResult(question, error);
  return asEvents ? renderLastEvent(result, 1) : toJson(result);
}
