import { expect, test } from 'vitest';
import { withoutRepeats } from '../../src/prompts/explore.ts';
import type { ExploreStep } from '../../src/state.ts';

const step = (number: number, outcome: 'done' | 'same', ...words: string[]): ExploreStep => ({
  number,
  thought: '',
  calls: words.map((one) => ({ tool: 'grep', arguments: { words: one }, result: one, outcome })),
  findings: [],
  next: '',
  summarisedTo: 0,
});

const numbers = (...steps: ExploreStep[]) => withoutRepeats(steps).map(({ number }) => number);

test('a step that only repeats shown results is left out', () => {
  expect(numbers(step(1, 'done', 'x'), step(2, 'same', 'x'), step(3, 'done', 'y'), step(4, 'same', 'y', 'x'))).toEqual([
    1, 3,
  ]);
});

test('a step whose first result is no longer shown stays, because it has that result', () => {
  expect(numbers(step(5, 'same', 'x'))).toEqual([5]);
  expect(numbers(step(4, 'done', 'y'), step(5, 'same', 'x'), step(6, 'same', 'x'))).toEqual([4, 5, 6]);
});

test('a step without calls stays', () => {
  expect(numbers(step(1, 'done'))).toEqual([1]);
});
