import { describe, expect, it } from 'vitest';
import { isRepeated, plainWords } from '../../../src/context/words/same-question.ts';

describe('a question is repeated', () => {
  it.each([
    ['in the same words', 'Why did the pool fail?', 'Why did the pool fail?'],
    ['in another order and case', 'the pool: why did it fail', 'Why did the pool fail?'],
    ['with other endings', 'Why do the pools fail?', 'Why did the pool fail?'],
    ['with which for what', 'Which change broke the pool?', 'What change broke the pool?'],
    [
      'with one word more among many',
      'Why did the payment service pool fail early?',
      'Why did the payment service pool fail?',
    ],
    ['of nothing but small words', 'What is this? ', 'what is this?'],
    ['in Chinese', '连接池为什么失败', '连接池为什么失败？'],
  ])('%s', (_, question, above) => {
    expect(isRepeated(question, [above])).toBe(true);
    expect(isRepeated(above, [question])).toBe(true);
  });

  it('if any question above asked it', () => {
    const above = ['When did the pool fail?', 'Why did the pool fail?', 'Who wrote the change?'];
    expect(isRepeated('Why did pools fail?', above)).toBe(true);
    expect(isRepeated('Where did pools fail?', above)).toBe(false);
    expect(isRepeated('Why?', [])).toBe(false);
  });
});

describe('a question is another one', () => {
  it.each([
    ['with another question word', 'Why did the pool fail?', 'When did the pool fail?'],
    ['with one question word of two', 'Who broke the pool?', 'Who broke the pool, and when?'],
    ['without the question word', 'Did the pool fail?', 'Why did the pool fail?'],
    ['about another thing', 'Why did the queue fail?', 'Why did the pool fail?'],
    [
      'about another year',
      'How did the revenue of the northern division change in 2019?',
      'How did the revenue of the northern division change in 2020?',
    ],
    [
      'with less of it',
      'Which change broke the pool?',
      'Which change broke the pool, and what did it alter in the queue?',
    ],
    ['with other small words only', 'Who was it?', 'What is this?'],
  ])('%s', (_, question, above) => {
    expect(isRepeated(question, [above])).toBe(false);
    expect(isRepeated(above, [question])).toBe(false);
  });
});

describe('plain words', () => {
  it.each([
    [
      'case, punctuation, spacing and articles',
      'WHY did  a pool of payments fail',
      'Why did the “pool” (payments) fail?!',
    ],
    ['nothing but punctuation', ' ??? ', '???'],
  ])('are the same except for %s', (_, a, b) => {
    expect(plainWords(a)).toBe(plainWords(b));
  });

  it.each([
    ['order', 'Did Anna call Bert?', 'Did Bert call Anna?'],
    ['tense', 'Who is the owner?', 'Who was the owner?'],
    ['small words that matter', 'Who came from Rome?', 'Who came to Rome?'],
    ['signs of a name', 'What is C++?', 'What is C?'],
    ['punctuation alone', '?', '!'],
  ])('ignore %s', (_, a, b) => {
    expect(plainWords(a)).not.toBe(plainWords(b));
  });
});
