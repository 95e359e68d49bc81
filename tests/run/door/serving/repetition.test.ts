import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beforeRepetition } from '../../../../src/run/door/silence.ts';

describe('a text that repeats itself without end', () => {
  it.each([
    ['a sentence', 'It failed. ', 'The pool is 4. '],
    ['a word', 'no ', 'Well: '],
    ['a line of a list', '- the pool\n', 'The parts:\n'],
    ['a long sentence', `${'The pool of connections that was lowered by the change is 4 in all. '.repeat(2)}\n`, ''],
  ])('is found: %s', (_, unit, before) => {
    const kept = beforeRepetition(before + unit.repeat(120))!;
    expect(kept.startsWith(before.trim())).toBe(true);
    expect(kept.length).toBeLessThanOrEqual(before.length + unit.length);
  });

  it('is found in the middle of a unit', () => {
    const text = `The pool is 4. ${'It failed. '.repeat(60)}It fa`;
    expect(beforeRepetition(text)).toMatch(/^The pool is 4\. It failed/);
    expect(beforeRepetition(text)!.length).toBeLessThan(40);
  });

  it.each([
    ['a rule', '-'.repeat(500)],
    ['white space', `x${' '.repeat(500)}`],
    ['lines that differ', Array.from({ length: 60 }, (_, at) => `- line ${at} failed`).join('\n')],
    ['a few equal lines', 'ERROR connection refused\n'.repeat(5)],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    expect(beforeRepetition(text)).toBeNull();
  });

  it('keeps a beginning of the text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.string({ minLength: 1, maxLength: 40 }), (before, unit) => {
        const text = before + unit.repeat(400);
        const kept = beforeRepetition(text);
        expect(kept === null || (text.startsWith(kept) && kept.length < text.length)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
