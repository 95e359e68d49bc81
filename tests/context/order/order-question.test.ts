import { describe, expect, it } from 'vitest';
import { readMoment } from '../../../src/context/order/moments.ts';
import { putInOrder, readOrderQuestion } from '../../../src/context/order/order-question.ts';

const log = `2026-03-17T13:00:00Z INFO health: consecutive_failures=0 errors=0
2026-03-17T13:10:00Z INFO config: changed pool.max from 40 to 4
2026-03-17T13:20:00Z WARN pool: saturated
2026-03-17T13:30:00Z ERROR orders: no connection
2026-03-17T13:40:00Z INFO deploy: rollback of 4.18.0 started
2026-03-17T14:00:00Z ERROR orders: no connection, again
2026-03-17T14:10:00Z INFO orders: recovered, 0 errors`;
// Another order than that of time: that of the text must not count.
const lines = log
  .split('\n')
  .reverse()
  .map((text) => ({ text, moment: readMoment(text)! }));

function ordered(question: string) {
  const { lines: found, spanMs } = putInOrder(readOrderQuestion(question)!, lines);
  return { times: found.map(({ text }) => text.slice(11, 16)), spanMs };
}

describe('a question for which the order in time counts', () => {
  it.each([
    ['What failed first?', ['13:30']],
    ['What failed first, and why?', ['13:30']],
    ['What was the last error?', ['14:00']],
    ['When did the errors start?', ['13:30']],
    ['When did the errors stop?', ['14:00']],
    ['What was the most recent rollback?', ['13:40']],
    ['When was the pool first saturated?', ['13:20']],
    ['What happened right before the first error?', ['13:00', '13:10', '13:20']],
    ['What was changed before the first error?', ['13:10']],
    ['What was the last warning before the first failure?', ['13:20']],
    ['What failed after the rollback?', ['14:00']],
  ])('%s', (question, times) => {
    expect(ordered(question)).toEqual({ times, spanMs: null });
  });

  it.each([
    ['How long did the errors last?', ['13:30', '14:00'], 30],
    ['How long was it between the config change and the first error?', ['13:10', '13:30'], 20],
    ['How long after the rollback did orders recover?', ['13:40', '14:10'], 30],
    ['How long before the first error was the pool saturated?', ['13:20', '13:30'], 10],
  ])('%s', (question, times, minutes) => {
    expect(ordered(question)).toEqual({ times, spanMs: minutes * 60_000 });
  });

  it.each([
    'Why did the build fail?',
    'How long is the longest delay?',
    'How many connections did the pool have before and after the change?',
    'How many times did it fail first?',
    'What is the first name of the author?',
  ])('is not: %s', (question) => {
    const order = readOrderQuestion(question);
    expect(order === null ? [] : putInOrder(order, lines).lines).toEqual([]);
  });
});
