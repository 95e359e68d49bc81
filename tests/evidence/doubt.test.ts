import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { citeClaims } from '../../src/evidence/claims/cite-claims.ts';
import { weighAnswer } from '../../src/evidence/doubt.ts';

const text = 'Below 15 no receipt is needed, but no more than three such items a month.\n\nFlights are booked early.\n';
const store = createContextStore([{ name: 'expenses.md', bytes: Buffer.from(text) }]);
const read = [store.passage(store.chunk(0), 1)];
const question = 'What about the voucher for petty things?';

const doubtIn = (answer: string, about = question) =>
  weighAnswer(about, citeClaims({ answer, citations: [] } as never, about, read), read);

describe('a doubt of an answer', () => {
  it('is none where the text bears each claim out, whatever words the question has', () => {
    expect(doubtIn('Below 15 no receipt is needed, but no more than three such items a month.')).toEqual({
      doubt: null,
      isSettled: false,
    });
  });

  it('needs no further word where the passages hold the question, too', () => {
    const answer = 'No more than three items below 15 without a receipt a month.';
    expect(doubtIn(answer, 'How many items below 15 need no receipt a month?')).toEqual({
      doubt: null,
      isSettled: true,
    });
  });

  it.each([
    ['Zeppelins are lighter than air.', 'unsupported'],
    ['Below 40 no receipt is needed. Zeppelins fly.', 'unsupported'],
    ['The text does not say.', 'not found'],
    ['What about the voucher is not answered directly by the handbook.', 'not found'],
  ])('%s', (answer, kind) => expect(doubtIn(answer)).toMatchObject({ doubt: { kind }, isSettled: false }));
});
