import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askAll, canary, createYard } from '../../../../scripts/walls/file-walls.ts';
import { checkHostilePaths } from '../../../../scripts/walls/hostile-paths.ts';
import { checkSwapRaces } from '../../../../scripts/walls/swap-races.ts';

const figure = (figures: readonly (readonly [string, number])[], what: string) =>
  new Map(figures).get(what) ?? Number.NaN;

describe('the walls of the file tools', () => {
  it('hold against paths with which a plain read escapes', async () => {
    const { figures, breaches } = await checkHostilePaths(400);
    expect(breaches).toEqual([]);
    expect(figure(figures, 'bytes from outside')).toBe(0);
    expect(figure(figures, 'paths by which a plain read gets out')).toBeGreaterThan(40);
  });

  it('hold against any path made of existing parts', async () => {
    const yard = createYard();
    onTestFinished(() => yard.remove());
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'root',
      'outside',
      'sub',
      'up',
      'folder',
      'file',
      'first',
      'self',
      'top',
      'canary.txt',
      'a.txt',
      'proc-root',
      yard.base.slice(1),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), async (parts, isAbsolute) => {
        const path = `${isAbsolute ? '/' : ''}${parts.join('/')}`;
        for (const reply of await askAll(path, yard.world)) expect(reply).not.toContain(canary);
      }),
      { numRuns: 150 },
    );
  });

  it('hold while links are swapped', async () => {
    const { figures, breaches } = await checkSwapRaces(40);
    expect(breaches).toEqual([]);
    expect(figure(figures, 'bytes from outside')).toBe(0);
    expect(figure(figures, 'swaps')).toBeGreaterThan(40);
    expect(figure(figures, 'replies that show a file inside')).toBeGreaterThan(0);
  });
});
