import { expect, it } from 'vitest';
import { firstWhere } from '../../src/base/arrays.ts';

it.each([0, 1, 4, 5, 8])('finds the first index that is at least %i, or the end', (wanted) => {
  for (let to = 0; to <= 8; to++) {
    for (let from = 0; from <= to; from++) {
      expect(firstWhere(from, to, (index) => index >= wanted)).toBe(Math.min(to, Math.max(from, wanted)));
    }
  }
});
