import { describe, expect, it } from 'vitest';
import { askScripted, decomposing, failing, part, splitInto } from '../support/scripted-run.ts';
import { warned } from '../support/warned.ts';

const parts = splitInto(part('Which pool?'), part('Which release?'));

describe('the reasoner', () => {
  it('splits questions judged complex and answers those judged simple', async () => {
    const { result } = await askScripted(
      {
        ...parts,
        assess: [
          { verdict: 'COMPLEX', reason: 'two things' },
          { verdict: 'SIMPLE', reason: '' },
          ...Array.from({ length: 8 }, () => ({ verdict: 'SIMPLE', reason: 'leaf' })),
        ],
        decompose: { subQuestions: [part('What size?'), part('What limit?')] },
      },
      { settings: { strategy: 'decompose', budget: { concurrency: 1 } } },
    );
    const [first, second] = result.recursionTree!.children;
    expect(first).toMatchObject({
      strategy: 'decompose',
      strategyReason: 'two things',
      assessment: { verdict: 'COMPLEX' },
    });
    expect(first!.children.map(({ path, depth }) => [path, depth])).toEqual([
      ['0.1.1', 2],
      ['0.1.2', 2],
    ]);
    expect(second).toMatchObject({ strategy: 'direct', strategyReason: 'judged SIMPLE' });
  });

  it.each([
    ['cannot be read', 'SIMPLE or COMPLEX', /^.*assess prompt .*"Which pool\?"/, 3],
    ['takes too long', failing('call-timeout'), /^no reply.*"Which pool\?"/, 2],
    ['does not fit', failing('prompt-too-long'), /^no reply.*"Which pool\?"/, 2],
  ])('answers directly when the assessment %s, and says so', async (_, assess, warning, calls) => {
    const { result } = await askScripted({ ...parts, assess }, decomposing);
    expect(result.status).toBe('answered');
    expect(result.recursionTree!.children[0]).toMatchObject({
      strategy: 'direct',
      assessment: null,
      strategyReason: 'it could not be assessed',
      calls,
    });
    expect(warned(result, 'answered-directly')).toMatch(warning);
  });

  it('emits events for every node as they happen', async () => {
    const { events, result } = await askScripted(parts, decomposing);
    const told = (type: string) =>
      events.filter((event) => event.type === type).map((event) => 'path' in event && event.path);
    expect(told('node.started').sort()).toEqual(['0', '0.1', '0.2']);
    expect(told('node.judged').sort()).toEqual(['0', '0.1', '0.2']);
    expect(told('node.completed').at(-1)).toBe('0');
    const calls = (node: NonNullable<typeof result.recursionTree>): number =>
      node.calls + node.children.reduce((total, child) => total + calls(child), 0);
    expect(calls(result.recursionTree!)).toBe(result.usage.calls - 2);
  });

  it('lists the passages of a node without their text', async () => {
    const { result } = await askScripted({});
    const [passage] = result.recursionTree!.passages;
    expect(passage).toMatchObject({ id: 'P1', source: 'a.md', startLine: 1, endLine: 2, startByte: 0, endByte: 49 });
    expect(passage).not.toHaveProperty('text');
  });
});
