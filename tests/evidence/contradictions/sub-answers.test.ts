import { describe, expect, it } from 'vitest';
import { findDisagreements } from '../../../src/evidence/contradictions/sub-answers.ts';
import type { Citation, TreeNode } from '../../../src/state.ts';
import { node } from '../../support/journals.ts';

const citation = (passage: string, source: string): Citation => ({
  number: 1,
  passage,
  source,
  startLine: 7,
  endLine: 7,
  startByte: 0,
  endByte: 10,
  hash: '',
  quote: null,
  origin: 'reply',
});

const part = (path: string, answer: string | null, citations: readonly Citation[] = []): TreeNode =>
  node({ path, depth: 1, question: `How large is the pool (${path})?`, answer, citations });

const question = 'How many connections does the orders pool have?';
const find = (...children: TreeNode[]) => findDisagreements(question, node({ children }));

describe('answers to parts of a question', () => {
  it('that say different things are a contradiction, named by their citations', () => {
    const found = find(
      part('0.1', 'The orders pool has 40 connections [P1].', [citation('P1', 'runbook.md')]),
      part('0.2', 'It was raised. The orders pool has 4 connections [P2].', [citation('P2', 'deploys.md')]),
    );
    expect(found.map(({ text }) => text)).toEqual(['runbook.md:7 says 40, deploys.md:7 says 4']);
    expect(found[0]!.sides).toMatchObject([
      { passage: 'P1', source: 'runbook.md', startLine: 7, quote: expect.stringContaining('40 connections') },
      { passage: 'P2', quote: expect.stringContaining('4 connections') },
    ]);
  });

  it('are named themselves where they cite nothing, and agree where they do', () => {
    const one = part('0.1', 'The orders pool has 40 connections.');
    expect(find(one, part('0.2', 'The orders pool has 4 connections.'))[0]!.text).toBe(
      'the answer to "How large is the pool (0.1)?" says 40, the answer to "How large is the pool (0.2)?" says 4',
    );
    expect(find(one, part('0.2', 'The orders pool has 40 connections.'))).toEqual([]);
    expect(find(one, part('0.2', null))).toEqual([]);
  });
});
