import type * as z from 'zod/mini';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Describes what a zod issue expects, in words, such as `expected a text or a list`. */
export function expectation(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case undefined:
      return 'something else was expected';
    case 'invalid_type':
      return `expected ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_union': {
      // A message that the union defines, such as "must be a text or a list of texts", takes precedence.
      if (issue.message !== 'Invalid input') return issue.message;
      const each = issue.errors.map(([first]) => expectation(first).replace(/^expected /, ''));
      return each.length === 0 ? 'something else was expected' : `expected ${[...new Set(each)].join(' or ')}`;
    }
    case 'invalid_value':
      return issue.values.length === 1
        ? `expected "${String(issue.values[0])}"`
        : `expected one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    default:
      return issue!.message;
  }
}
