import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store.ts';
import { citeClaims } from '../../src/evidence/claims/cite-claims.ts';
import { doubtOf } from '../../src/evidence/doubt.ts';

const text = 'Below 15 no receipt is needed, but no more than three such items a month.\n\nFlights are booked early.\n';
const store = createContextStore([{ name: 'expenses.md', bytes: Buffer.from(text) }]);
const read = [store.passage(store.chunk(0), 1)];
const question = 'What about the voucher for petty things?';

const doubtIn = (answer: string) =>
  doubtOf(question, citeClaims({ answer, citations: [] } as never, question, read), read);

describe('a doubt of an answer', () => {
  it('is none where the text bears each claim out, whatever words the question has', () => {
    expect(doubtIn('Below 15 no receipt is needed, but no more than three such items a month.')).toBeNull();
  });

  it.each([
    ['Zeppelins are lighter than air.', 'unsupported'],
    ['Below 40 no receipt is needed. Zeppelins fly.', 'unsupported'],
    ['The text does not say.', 'not found'],
  ])('%s', (answer, kind) => expect(doubtIn(answer)).toMatchObject({ kind }));
});
