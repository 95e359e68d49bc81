import { expect, it } from 'vitest';
import { newRunId } from '../../src/run/run-events.ts';

it('ids sort by time, also those of one moment', () => {
  const ids = Array.from({ length: 5_000 }, () => newRunId());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids.slice(0, 20)) expect(id).toMatch(/^\d{8}T\d{6}-[0-9a-f]{6}$/);
});
