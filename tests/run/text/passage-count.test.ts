import { describe, expect, it } from 'vitest';
import { createPassageCount } from '../../../src/run/text/fit-passages.ts';
import type { Passage } from '../../../src/state.ts';

const passage = (source: string, endByte: number) => ({ source, startByte: 0, endByte }) as Passage;
const countOver = (...names: string[]) =>
  createPassageCount({ documents: names.map((name) => ({ name, bytes: 1, lines: 1 })) }, { chunkTokens: 500 });

describe('passages are counted by their size', () => {
  const [code, large, text] = [passage('a.ts', 480), passage('a.ts', 1_400), passage('a.md', 200)];

  it('three of code count as one of other text, in any text, and one of code that is as large', () => {
    const { mostFor, first } = countOver('a.ts', 'a.md');
    expect(mostFor(8)).toBe(24);
    expect(first([code, code, code, text, code], 2)).toHaveLength(4);
    expect(first([large, text, text], 2)).toHaveLength(2);
    expect(first([code], 0)).toEqual([]);
  });

  it('each counts as one without code', () => {
    const { mostFor, first } = countOver('a.md');
    expect(mostFor(8)).toBe(8);
    expect(first([text, text, text], 2)).toHaveLength(2);
  });
});
