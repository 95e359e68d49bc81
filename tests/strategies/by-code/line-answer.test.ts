import { describe, expect, it } from 'vitest';
import { readCounting } from '../../../src/context/counting/readings.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import { answerByLines } from '../../../src/strategies/by-code/line-answer.ts';

const log = `${['order failed on web-5', 'order failed on web-5', 'order sent on web-5', 'stats of web-5', 'request blocked rule=x'].join('\n')}\n`;

async function first(question: string, text = log, name = 'app.log'): Promise<string | null> {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }]);
  const answer = await answerByLines(readCounting(question, [name])!, store, new AbortController().signal);
  return answer && answer.answer.split('\n')[0]!;
}

describe('an answer by lines', () => {
  it('counts lines that have all of the words, and never the lines of a token alone', async () => {
    expect(await first('How many orders failed on web-5 alone?')).toBe('2 lines counted, in all of the text.');
    expect(await first('How many orders exploded on web-5?')).toBe(
      '3 lines counted, in all of the text. No such line has: “exploded”.',
    );
  });

  it('counts nothing where the thing to count does not occur', async () => {
    expect(await first('How many unicorns were there in the blocked request?')).toBeNull();
  });

  it('leaves out a word that stands in other lines alone, and what every line is one of', async () => {
    const chat =
      '[09:00] bot: WARN disk\n[09:01] bot: ERROR disk\n[09:02] ann: WARN is near, I send it\n[09:03] bot: WARN pool\n';
    expect(await first('How many WARN messages did the bot send?', chat, 'chat.log')).toBe(
      '2 lines counted, in all of the text. No such line has: “messages”, “send”.',
    );
  });

  it('leaves out no token that stands nowhere', async () => {
    expect(await first('How many orders failed on web-9?')).toBeNull();
    expect(await first('How many orders failed on web-5 before 03:00?')).toBeNull();
  });

  it('counts lines of prose where lines are asked for', async () => {
    const text = 'Ask the duty manager.\n\nThe duty manager decides. The manager does not.\n';
    expect(await first('On how many lines is the duty manager mentioned?', text, 'a.md')).toContain('2 lines counted');
  });
});
