import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';

describe('the nearest word', () => {
  it.each([
    ['modle', ['model', 'strategy'], 'model'],
    ['MAXCALLS', ['maxCalls', 'maxDepth'], 'maxCalls'],
    ['zzzzzz', ['model', 'strategy'], null],
    ['x', [], null],
    ['', ['model'], null],
  ])('to %j in %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  it('is also found for a very long word', () => {
    expect(nearest('a'.repeat(1_000_000), ['model'])).toBeNull();
  });
});
