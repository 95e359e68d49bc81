import { describe, expect, it } from 'vitest';
import { checkHostilePaths } from '../../../scripts/walls/hostile-paths.ts';
import { checkSwapRaces } from '../../../scripts/walls/swap-races.ts';

const figure = (figures: readonly (readonly [string, number])[], what: string) =>
  new Map(figures).get(what) ?? Number.NaN;

describe('the walls of the file tools', () => {
  it('hold against paths that get a plain read out', async () => {
    const { figures, breaches } = await checkHostilePaths(400);
    expect(breaches).toEqual([]);
    expect(figure(figures, 'bytes from outside')).toBe(0);
    expect(figure(figures, 'paths by which a plain read gets out')).toBeGreaterThan(40);
  });

  it('hold while links are swapped', async () => {
    const { figures, breaches } = await checkSwapRaces(100);
    expect(breaches).toEqual([]);
    expect(figure(figures, 'bytes from outside')).toBe(0);
    expect(figure(figures, 'swaps')).toBeGreaterThan(100);
    expect(figure(figures, 'replies that show a file inside')).toBeGreaterThan(0);
  });
});
