import { describe, expect, it } from 'vitest';
import { readQuery, splitAtMost } from '../../../src/providers/extractive/query.ts';

describe('a long question', () => {
  it.each([' ', ' ,', 'a'])('of many %j is read within 0.8 seconds', (unit) => {
    const question = `What is x${unit.repeat(30_000 / unit.length)}!`;
    const before = process.cpuUsage();
    splitAtMost(question, 5);
    readQuery(question);
    // Processor time does not depend on the load of the machine.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(800);
  });
});

describe('a question with several clauses', () => {
  it('is split before its question words, also after a comma with blanks around it', () => {
    expect(splitAtMost('When did it start , and who fixed it, what broke, and for how long?', 8)).toEqual([
      { question: 'When did it start?', needs: [] },
      { question: 'Who fixed it? (When did it start)', needs: [1] },
      { question: 'What broke?', needs: [] },
      { question: 'For how long? (what broke)', needs: [3] },
    ]);
  });
});
