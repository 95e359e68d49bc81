import { describe, expect, it } from 'vitest';
import { counted, duration, grouped } from '../../src/base/text.ts';

describe('a number in words', () => {
  it.each([
    [0, '0 lines'],
    [1, '1 line'],
    [2, '2 lines'],
    [999, '999 lines'],
    [1_000, '1,000 lines'],
    [1_234_567, '1,234,567 lines'],
    [-1_200, '-1,200 lines'],
  ])('%d', (count, words) => {
    expect(counted(count, 'line')).toBe(words);
    expect(grouped(count)).toBe(count.toLocaleString('en-US'));
  });

  it.each([
    [1_514.6, '1,514.6'],
    [-1_234_567.12345, '-1,234,567.12345'],
    [0.1234567, '0.1234567'],
  ])('%d is grouped only before its point', (number, words) => {
    expect(grouped(number)).toBe(words);
  });

  it('accepts a plural that is not formed with an s', () => {
    expect([1, 2].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
  });
});

it.each([
  [1_500, '1.5 s'],
  [59_949, '59.9 s'],
  [59_990, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [125_000, '2 min 5 s'],
])('the duration of %s ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
