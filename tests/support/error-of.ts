import { expect } from 'vitest';
import { RlmError } from '../../src/errors.ts';

/** Resolves to the error with which work ends. */
export async function errorOf(work: Promise<unknown>): Promise<RlmError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RlmError);
  return error as RlmError;
}
