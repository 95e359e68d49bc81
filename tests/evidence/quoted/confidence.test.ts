import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../../src/evidence/citations.ts';
import { quotedConfidence } from '../../../src/evidence/quoted/confidence.ts';
import { passagesOf } from '../../support/passages.ts';

const text =
  'Ada Poole drained the queue of the importer.\nThe queue of the importer is long.\nThe pool was not closed.\n';
const passages = passagesOf(text);
const question = 'Who drained the queue of the importer?';

const confidence = (quote: string, asked = question, match: number | null = 50, answer = `${quote} [P1]`) => {
  const { citations } = checkCitations(answer, [{ passage: 'P1', quote }], passages);
  return quotedConfidence(asked, answer, match, citations, passages);
};
const good = 'Ada Poole drained the queue of the importer.';

describe('the confidence in a quote', () => {
  it('is higher where the quote has more of the question than others, and the kind of answer that it asks for', () => {
    expect(confidence(good)).toBeGreaterThan(confidence('The queue of the importer is long.')!);
  });

  it('follows the match of the provider', () => {
    expect(confidence(good, question, 70)).toBeGreaterThan(confidence(good, question, 30)!);
  });

  it('is lower where only one of the two denies something', () => {
    const quote = 'The pool was not closed.';
    expect(confidence(quote, 'Was the pool closed?')).toBeLessThan(confidence(quote, 'Was the pool not closed?')!);
  });

  it('is the match itself where the answer has parts, or an order in time is asked for', () => {
    expect(confidence(good, question, 41, `Who drained it?\n${good} [P1]\n\nNot found: no sentence.`)).toBe(41);
    expect(confidence(good, 'Which was the first error?', 60)).toBe(60);
  });

  it('is unknown where nothing is cited, or nobody said how well it matches', () => {
    expect(quotedConfidence(question, 'Not found.', 10, [], passages)).toBeNull();
    expect(confidence(good, question, null)).toBeNull();
  });
});
