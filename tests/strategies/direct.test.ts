import { describe, expect, it } from 'vitest';
import { askScripted, long, plan } from '../support/scripted-run.ts';

describe('direct', () => {
  it('takes exactly three calls on a text that fits', async () => {
    const { result, prompts, of } = await askScripted({ planner: plan({ approach: 'decompose' }) });
    expect(prompts).toEqual(['planner', 'answer', 'critic']);
    expect(result).toMatchObject({
      status: 'answered',
      stopReason: 'completed',
      error: null,
      usage: { calls: 3, subCalls: 0 },
    });
    expect(result.plan).toMatchObject({ approach: 'direct', reason: 'the whole text fits one prompt' });
    expect(of('answer')[0]!.passages.map(({ source }) => source)).toEqual(['a.md', 'b.md']);
  });

  it('passes the criteria of the plan to the answer', async () => {
    const { of } = await askScripted({ planner: plan({ successCriteria: ['a time'] }) });
    expect(of('answer')[0]!.criteria).toEqual(['a time']);
  });

  it('cites words of the text, with numbers', async () => {
    const { result, of } = await askScripted(
      {
        answer: {
          answer: 'It ran out [P1], after release 4.2 [P2].',
          citations: [
            { passage: 'P2', quote: 'Release 4.2' },
            { passage: 'P1', quote: 'ran out at 02:14' },
          ],
          assumptions: ['UTC'],
        },
      },
      {},
      'When did the pool run out?',
    );
    expect(result.answer).toBe('It ran out [1], after release 4.2 [2].');
    expect(result.citations).toMatchObject([
      { number: 1, source: 'a.md', startLine: 2, endLine: 2, quote: 'ran out at 02:14' },
      { number: 2, source: 'b.md', startLine: 1, quote: 'Release 4.2' },
    ]);
    expect(result.confidence).toBeGreaterThan(0);
    expect(result.recursionTree).toMatchObject({ path: '0', assumptions: ['UTC'], calls: 1 });
    expect(
      of('critic')[0]!
        .passages.map(({ id }) => id)
        .sort(),
    ).toEqual(['P1', 'P2']);
  });

  it('warns about a misquotation, and does not cite it', async () => {
    const { result } = await askScripted({
      answer: { answer: 'It was 30 [P1].', citations: [{ passage: 'P1', quote: 'limited to 30' }], assumptions: [] },
    });
    expect(result).toMatchObject({ answer: 'It was 30.', citations: [], confidence: null, status: 'answered' });
    expect(result).toMatchObject({
      warningCodes: ['evidence'],
      warnings: [expect.stringContaining('"limited to 30", which is not in a.md:1-2')],
    });
  });

  it('retrieves if the text does not fit', async () => {
    const { of, result } = await askScripted({}, { documents: long }, 'What limited the pool?');
    const [asked] = of('answer');
    expect(asked!.passages.length).toBeLessThanOrEqual(8);
    expect(asked!.passages[0]!.text).toContain('limited to 20');
    expect(result.recursionTree!.passages.map(({ id }) => id)).toEqual(asked!.passages.map(({ id }) => id));
  });

  it('answers without any text', async () => {
    const { result, of } = await askScripted({}, { documents: [] });
    expect(of('answer')[0]!.passages).toEqual([]);
    expect(result).toMatchObject({ status: 'answered', confidence: null });
  });
});
