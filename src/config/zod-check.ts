import * as z from 'zod/mini';
import type { Check } from './check.ts';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
};

/** Describes the first issue of a zod error in words. */
function expectation(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'something else was expected';
  if (issue.code === 'invalid_type') return `expected ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return issue.values.length === 1
      ? `expected "${String(issue.values[0])}"`
      : `expected one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
  return issue.message;
}

/**
 * Returns a check by a zod schema. The schema is created on first use, because most settings are never given. The type
 * `Check` is in another file, so that the package's declarations do not need zod.
 */
export function checkBy<T>(makeSchema: () => z.ZodMiniType<T>): Check<T> {
  let schema: z.ZodMiniType<T> | undefined;
  return (value) => {
    schema ??= makeSchema();
    const parsed = z.safeParse(schema, value);
    return parsed.success ? { value: parsed.data } : { expected: expectation(parsed.error) };
  };
}
