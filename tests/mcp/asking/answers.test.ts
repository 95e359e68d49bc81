import { describe, expect, it } from 'vitest';
import { answerSchema, answerText, toAnswer } from '../../../src/mcp/asking/answers.ts';
import { runResult } from '../../support/journals.ts';

const claim = { start: 0, end: 9, citations: [1], support: 0.9, verdict: 'supported', reason: null } as const;

describe('the answer for a client', () => {
  const side = { passage: 'P1', source: 'a.md', startLine: 1, endLine: 1, quote: 'It is 4.' };
  const found = toAnswer(
    runResult({
      answer: 'It is 4 [1]. It was never 40.',
      claims: [
        { ...claim, text: 'It is 4.' },
        { ...claim, text: 'It was never 40.', support: 0.1, verdict: 'contradicted', reason: 'the passage says 40' },
      ],
      contradictions: [{ text: 'a.md:1 says 4, b.md:2 says 40', sides: [side, side] }],
    }),
  );

  it('has each claim with its errors, in its schema', () => {
    expect(answerSchema.parse(found).claims).toMatchObject([
      { text: 'It is 4.', verdict: 'supported', support: 0.9, reason: null, citations: [1] },
      { verdict: 'contradicted', reason: 'the passage says 40' },
    ]);
    expect(found.contradictions).toEqual(['a.md:1 says 4, b.md:2 says 40']);
  });

  it('lists as text the unsupported claims, and not the supported ones', () => {
    const text = answerText(found);
    expect(text).toContain('Not supported by the text:\n- contradicted: It was never 40. (the passage says 40)');
    expect(text).toContain('The text contradicts itself:\n- a.md:1 says 4, b.md:2 says 40');
    expect(answerText(toAnswer(runResult({ claims: [{ ...claim, text: 'It is 4.' }] })))).not.toContain('It is 4.');
  });

  it('names as text the page of a source, or a line of extracted text', () => {
    const at = { number: 1, passage: 'P1', startLine: 6, endLine: 6, startByte: 0, endByte: 8, hash: '' };
    const source = { ...at, source: 'a.pdf', origin: 'code' as const, quote: 'It is 4.' };
    const text = (more: object) => answerText(toAnswer(runResult({ citations: [{ ...source, ...more }] })));
    expect(text({ page: 2 })).toContain('[1] a.pdf, page 2: It is 4.');
    expect(text({ source: 'a.html', isExtracted: true })).toContain('[1] a.html, text line 6: It is 4.');
    expect(text({ source: 'a.md' })).toContain('[1] a.md:6: It is 4.');
  });

  it('lists as text the values that occur nowhere and that no model judged', () => {
    const nowhere = { ...claim, support: null, verdict: 'unchecked', reason: 'not in the cited text: 4' } as const;
    const text = answerText(toAnswer(runResult({ claims: [{ ...nowhere, text: 'It is 4.' }] })));
    expect(text).toContain('- unchecked: It is 4. (not in the cited text: 4)');
  });
});
