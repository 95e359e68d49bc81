import { expect, it } from 'vitest';
import { unwritable } from '../../../src/errors.ts';

it('distinguishes too many open files from a file that cannot be written', () => {
  const codeOf = (code: string) => unwritable('a.md', Object.assign(new Error(code), { code }), 'Name another.').code;
  expect(['EMFILE', 'ENFILE', 'EACCES'].map(codeOf)).toEqual(['too-many-files', 'too-many-files', 'output-unwritable']);
});
