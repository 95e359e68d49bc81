import { expect, it } from 'vitest';
import { type ErrorCode, type ErrorKind, errorCodes, isForgivable, kindOf, RlmError } from '../src/errors.ts';

const exits: Readonly<Record<ErrorKind, readonly number[]>> = {
  input: [2],
  configuration: [3],
  unavailable: [4],
  failed: [5],
  call: [5],
  limit: [6],
  bar: [7],
  interruption: [129, 130, 143],
  bug: [1],
};

const codes = Object.keys(errorCodes) as ErrorCode[];

it.each(codes)('gives %s the exit status of its kind', (code) => {
  expect(exits[kindOf({ code })]).toContain(new RlmError(code, 'x').exitCode);
});

it('forgives only single failed calls', () => {
  expect(codes.filter((code) => isForgivable(new RlmError(code, 'x')))).toEqual([
    'call-timeout',
    'prompt-too-long',
    'reply-unusable',
  ]);
  expect(isForgivable(new Error('x'))).toBe(false);
});
