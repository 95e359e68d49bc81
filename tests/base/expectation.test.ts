import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { expectation } from '../../src/base/expectation.ts';

it.each([
  [z.string(), 5, 'expected a text'],
  [z.union([z.string(), z.array(z.string())]), {}, 'expected a text or a list'],
  [z.object({}), null, 'expected an object'],
  [z.int(), 1.5, 'expected a whole number'],
  [z.enum(['a', 'b']), 'c', 'expected one of a, b'],
  [z.int().check(z.gte(1)), 0, 'at least 1'],
])('describes in words what was expected: %#', (schema, value, words) => {
  expect(expectation(z.safeParse(schema, value).error!.issues[0])).toBe(words);
});
