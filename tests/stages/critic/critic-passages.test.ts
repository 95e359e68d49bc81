import { describe, expect, it } from 'vitest';
import { fitPassages } from '../../../src/stages/critic.ts';
import type { TreeNode } from '../../../src/state.ts';
import { passagesOf } from '../../support/passages.ts';

const passages = passagesOf('one one one\ntwo two two\nsix six six\nten ten ten\n', 12);
const [first] = passages;
const each = Buffer.byteLength(first!.text) + Buffer.byteLength(first!.source) + 120;
const part = (...ids: string[]) => ({ citations: ids.map((passage) => ({ passage })) });
const tree = (...children: object[]) => ({ children }) as unknown as TreeNode;
const idsOf = ({ passages: kept }: ReturnType<typeof fitPassages>) => kept.map(({ id }) => id);

describe('the passages that fit the critic', () => {
  it('are all of them if they fit', () => {
    expect(fitPassages(passages, tree(), 4 * each)).toEqual({ passages, leftOut: 0 });
  });

  it('are the first if nothing was split', () => {
    const fitting = fitPassages(passages, tree(), 4 * each - 1);
    expect([idsOf(fitting), fitting.leftOut]).toEqual([['P1', 'P2', 'P3'], 1]);
  });

  it('are from every part, in their order', () => {
    const parts = tree(part('P1', 'P2', 'P3'), part('P3', 'P4'));
    expect(idsOf(fitPassages(passages, parts, 2 * each))).toEqual(['P1', 'P4']);
    expect(idsOf(fitPassages(passages, parts, 3 * each))).toEqual(['P1', 'P2', 'P4']);
  });

  it('are those that fit after one that is too long', () => {
    const long = { ...first!, id: 'P9', text: 'x'.repeat(10 * each) };
    const fitting = fitPassages([long, ...passages], tree(), each);
    expect([idsOf(fitting), fitting.leftOut]).toEqual([['P1'], 4]);
  });

  it('are none without room', () => {
    expect(fitPassages(passages, tree(), -1)).toEqual({ passages: [], leftOut: 4 });
  });
});
