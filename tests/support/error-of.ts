import { expect } from 'vitest';
import { RlmError } from '../../src/errors.ts';

/** The error that work ends with. */
export async function errorOf(work: Promise<unknown>): Promise<RlmError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RlmError);
  return error as RlmError;
}
