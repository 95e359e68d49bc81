import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../../src/evidence/citations.ts';
import { citeClaims } from '../../../src/evidence/claims/cite-claims.ts';
import { numberCitations } from '../../../src/evidence/number-citations.ts';
import { passagesOf, sourceAt } from '../../support/passages.ts';

const text = [
  'The connection pool is limited to 20 connections. It is shared by all workers.',
  '',
  'On Sunday the importer opened 34 connections.',
  'The queue was drained by Ada Poole at 14:05.',
  '',
].join('\n');
const passages = passagesOf(text, 60);

const cite = (answer: string, question = 'How large is the pool?') =>
  citeClaims(checkCitations(answer, [], passages), question, passages);
const quotes = (answer: string, question?: string) => cite(answer, question).citations.map(({ quote }) => quote);

describe('a claim without a mark', () => {
  it('is cited by the supporting words, and the citation is marked as ours', () => {
    const { answer, citations } = cite('The pool is limited to 20 connections.\n\nAda Poole drained the queue.');
    expect(answer).toMatch(/^The pool is limited to 20 connections. \[P\d\]\n\nAda Poole drained the queue. \[P\d\]$/);
    expect(citations.map(({ origin, quote }) => [origin, quote])).toEqual([
      ['code', 'The connection pool is limited to 20 connections.'],
      ['code', 'The queue was drained by Ada Poole at 14:05.'],
    ]);
    for (const citation of citations) expect(sourceAt(text, citation)).toBe(citation.quote);
  });

  it('is not cited if a number, or most of its words, occur nowhere', () => {
    expect(quotes('The pool is limited to 40 connections.')).toEqual([]);
    expect(quotes('The harbour was rebuilt after the storm.')).toEqual([]);
  });

  it('needs words of the question, too, if it is a single word', () => {
    expect(quotes('34', 'How many connections did the importer open on Sunday?')).toEqual([
      'On Sunday the importer opened 34 connections.',
    ]);
    expect(quotes('34', 'How old is the harbour master?')).toEqual([]);
  });

  it('gets no mark inside a quotation or a sentence', () => {
    const quoted = 'It says: "The pool is limited to 20 connections. It is shared by all workers." [P1]';
    expect(cite(quoted).answer).toBe(quoted);
    const { answer, citations } = cite('| x |\nThe pool is limited to 20 connections,\nx = 1;');
    expect(answer).toBe('| x |\nThe pool is limited to 20 connections,\nx = 1;');
    expect(citations.map(({ quote }) => quote)).toEqual(['The connection pool is limited to 20 connections.']);
  });

  it('in a row of a table gets its mark in the last cell', () => {
    const { answer } = cite('| what | who |\n| --- | --- |\n| queue drained | Ada Poole |');
    expect(answer).toMatch(/\| queue drained \| Ada Poole \[P\d\] \|$/);
  });

  it('gets no mark if other claims have one: marks of a reply stay where the model put them', () => {
    const { answer, citations } = cite('The pool is limited to 20 connections [P1]. Ada Poole drained the queue.');
    expect(numberCitations(answer, citations).answer).toBe(
      'The pool is limited to 20 connections [1]. Ada Poole drained the queue.',
    );
  });
});

describe('a claim with only a mark', () => {
  it('is cited by the supporting words, and the mark stays that of the reply', () => {
    expect(cite('The pool is limited to 20 connections [P1].').citations).toMatchObject([
      { passage: 'P1', quote: 'The connection pool is limited to 20 connections.', origin: 'reply' },
    ]);
  });

  it('keeps the whole passage if no words support it', () => {
    expect(cite('The pool is limited to 40 connections [P1].').citations).toMatchObject([
      { passage: 'P1', quote: null },
    ]);
  });
});

describe('any answer', () => {
  it('keeps its words, and citations contain only words of the text', () => {
    const words = fc.array(fc.constantFrom('pool', '20', 'Ada', '. ', '\n', '- ', '| ', '[P1]', '…', '😀', 'queue '));
    fc.assert(
      fc.property(words, (parts) => {
        const checked = checkCitations(parts.join(' '), [], passages);
        const cited = citeClaims(checked, 'pool?', passages);
        const plain = (answer: string) =>
          answer
            .replace(/\s*\[P\d\]/g, '')
            .replace(/\s+/g, ' ')
            .trim();
        expect(plain(cited.answer)).toBe(plain(checked.answer));
        for (const citation of cited.citations)
          if (citation.quote !== null) expect(sourceAt(text, citation)).toBe(citation.quote);
      }),
    );
  });
});
