import { type ErrorCode, RlmError } from '../errors.ts';

const forgivable: readonly ErrorCode[] = ['reply-unusable', 'call-timeout', 'prompt-too-long'];

/**
 * Whether a call that only prepares the answer (planning, assessing, splitting) may be done without: the model is there
 * and may yet answer, though this one call came to nothing.
 */
export const isForgivable = (error: unknown): error is RlmError =>
  error instanceof RlmError && forgivable.includes(error.code);
