import { describe, expect, it } from 'vitest';
import { readFinal, readTurn } from '../../../src/strategies/repl/read-turn.ts';

const bare = { tells: null, missing: [] };
const answer = (text: string, said: object = bare) => ({ kind: 'answer', text, ...said });
const variable = (name: string, said: object = bare) => ({ kind: 'variable', name, ...said });

describe('an answer in prose', () => {
  it.each([
    ['FINAL(It was 42.)', answer('It was 42.')],
    ['So:\n\nFINAL(It was 42 (as f(x) says), and (again) 43.)', answer('It was 42 (as f(x) says), and (again) 43.')],
    ['FINAL("a :) smile")', answer('a :) smile')],
    ["FINAL('It\\'s \"so\"')", answer('It\'s "so"')],
    ['FINAL(`one\ntwo)\nthree`)', answer('one\ntwo)\nthree')],
    ["FINAL(It's the team's pool (20).)", answer("It's the team's pool (20).")],
    ['FINAL(First line.\n- a (b)\n- c\n)\nThat is all.', answer('First line.\n- a (b)\n- c')],
    ['FINAL(1) the pool, 2) the release)', answer('1) the pool, 2) the release')],
    ['FINAL(an answer that is not closed', answer('an answer that is not closed')],
    ['**FINAL(It was 42.)**', answer('It was 42.')],
    ['FINAL("He said \\"no\\"")', answer('He said "no"')],
    ['FINAL_VAR(result)', variable('result')],
    ['FINAL_VAR("result")', variable('result')],
    ['FINAL (42)', answer('42')],
    ['FINAL(1)\nFINAL(2)', answer('2')],
    ['I will call FINAL(answer) when I know it.', null],
    ['FINAL()', null],
    ['FINAL("It was 42.", {tells: "all"})', answer('It was 42.', { tells: 'all', missing: [] })],
    [
      'FINAL(It was (as I said) 42, { "tells": "part", "missing": ["Who said \\"no\\"?", \'When?\'] })',
      answer('It was (as I said) 42', { tells: 'part', missing: ['Who said "no"?', 'When?'] }),
    ],
    ['FINAL(`one\ntwo`, {\n  missing: `When?`,\n})', answer('one\ntwo', { tells: null, missing: ['When?'] })],
    ['FINAL_VAR("x", {tells: "nothing"})', variable('x', { tells: 'nothing', missing: [] })],
    ['FINAL_VAR(x, {tells: "much"})', variable('x')],
    ['FINAL(a set, {1, 2})', answer('a set, {1, 2}')],
    ['FINAL({"tells": "a story"})', answer('{"tells": "a story"}')],
    ['finally (it was so)', null],
  ])('is read: %s', (text, final) => {
    expect(readFinal(text)).toEqual(final);
  });
});

describe('a reply', () => {
  it('is code in fences, and words', () => {
    const turn = readTurn('I look.\n```js\nprint(1)\n```\nThen:\n```javascript\nprint(2)\n```\n```json\n{"a": 1}\n```');
    expect(turn).toMatchObject({ code: 'print(1)\nprint(2)', final: null });
    expect(turn.thought).toMatch(/^I look\.\s+Then:\s+```json/);
  });

  it.each([
    ['```\nprint(1)\n```', 'print(1)'],
    ['```js\nprint("```")\nprint(2)\n```', 'print("```")\nprint(2)'],
    ['````js\nprint(`\n```\n`)\n````', 'print(`\n```\n`)'],
    ['```js\nprint(1)', 'print(1)'],
    ['const a = context.length;\nprint(a)', 'const a = context.length;\nprint(a)'],
    ['print(context.slice(0, 100))', 'print(context.slice(0, 100))'],
    ['Let us look at the text first.', ''],
    ['```python\nprint(len(context))\n```', ''],
  ])('has this code: %s', (reply, code) => {
    expect(readTurn(reply).code).toBe(code);
  });

  it('may give the answer outside of its code, or in place of code', () => {
    expect(readTurn('```js\nprint(1)\n```\nFINAL(yes)').final).toEqual(answer('yes'));
    expect(readTurn('```\nFINAL(It was the pool.)\n```')).toMatchObject({
      code: 'FINAL(It was the pool.)',
      fencedFinal: answer('It was the pool.'),
    });
  });
});
