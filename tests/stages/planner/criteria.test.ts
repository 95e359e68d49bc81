import { describe, expect, it } from 'vitest';
import { withoutRules } from '../../../src/stages/planner/criteria.ts';

describe('criteria of an answer', () => {
  it.each([
    'If both passages say so, then yes; otherwise, the answer is no.',
    'Otherwise no.',
    'If the log has no error, the answer is "none"',
    'The answer is 42',
    'yes unless the file says no',
  ])('are no rules that decide it: %s', (rule) => {
    expect(withoutRules([rule, 'names the release'])).toEqual(['names the release']);
  });

  it.each([
    'names the release and its time',
    'says who wrote the change, and if anybody reviewed it',
    'every name that the passages give, in order',
    'the number of connections',
  ])('are kept where they say what it tells: %s', (criterion) => {
    expect(withoutRules([criterion])).toEqual([criterion]);
  });
});
