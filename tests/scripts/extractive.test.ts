import { describe, expect, it } from 'vitest';
import { halves, type Label, readLabels, types } from '../../scripts/extractive/labels.ts';
import { plainAnswer } from '../../scripts/extractive/plain.ts';
import { failuresOf, reportOf, wilson } from '../../scripts/extractive/report.ts';
import { rotOf } from '../../scripts/extractive/rot.ts';
import { type Answer, score } from '../../scripts/extractive/score.ts';

const tickets = 'scripts/extractive/data/texts/tickets.csv';
const chat = 'scripts/extractive/data/texts/warehouse-chat.txt';

const labelled = (fields: Partial<Label>): Label => ({
  id: 'some-text:2',
  half: 'dev',
  kind: 'chat',
  type: 'lookup',
  ask: 'Who?',
  paths: [chat],
  all: [],
  any: [],
  within: 1,
  ...fields,
});

const answered = (text: string, ...quotes: string[]): Answer => ({
  text,
  quotes: new Map(quotes.map((quote, index) => [index + 1, quote])),
});

const scored = (fields: Partial<Label>, answer: Answer): string => {
  const { isIn, isFirst } = score(labelled(fields), answer);
  return isFirst ? 'first' : isIn ? 'in' : 'missing';
};

describe('the labelled questions', async () => {
  const labels = await readLabels();

  it('are at least 150, half of them held out, over at least six kinds of text', () => {
    expect(labels.length).toBeGreaterThanOrEqual(150);
    expect(labels.filter(({ half }) => half === 'test').length).toBeGreaterThanOrEqual(75);
    expect(new Set(labels.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(6);
  });

  it('are of every kind and every type in both halves, which share no text', () => {
    const [dev, test] = halves.map((half) => labels.filter((label) => label.half === half));
    expect(new Set(dev!.map(({ type }) => type))).toEqual(new Set(types));
    expect(new Set(test!.map(({ type }) => type))).toEqual(new Set(types));
    expect(new Set(dev!.map(({ kind }) => kind))).toEqual(new Set(test!.map(({ kind }) => kind)));
    const paths = new Set(dev!.flatMap((label) => label.paths));
    expect(test!.flatMap((label) => label.paths).filter((path) => paths.has(path))).toEqual([]);
  });

  it('ask nothing twice', () => {
    const asked = labels.map(({ ask, paths }) => `${ask.toLowerCase()} ${paths[0]}`);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('are valid for the present texts', () => {
    expect(rotOf(labels)).toEqual([]);
  });
});

describe('a label that no longer holds', () => {
  it.each<[string, Partial<Label>, string]>([
    ['an excerpt', { any: ['Lot Z, on the roof'] }, 'no longer in'],
    ['a heading', { all: ['Gate 4 runs again'], under: 'Gate 44' }, 'no longer in'],
    ['a count', { counts: '- Olu:', number: 1 }, 'and the label says 1'],
    ['a number', { paths: [tickets], number: 1, of: { op: 'max', column: 'rating', where: {} } }, 'the rows give 5'],
    [
      'a name',
      { paths: [tickets], value: 'Acme', of: { op: 'top', column: 'category', where: {} } },
      'rows give login',
    ],
    ['a duration', { seconds: 60, between: ['Sprinkler test is starting', 'Test over'] }, 'the lines are 1320 s apart'],
    ['a file', { paths: ['gone.txt'], any: ['Gate 4'] }, 'gone.txt is gone'],
  ])('is reported with its id: %s', (_what, fields, problem) => {
    expect(rotOf([labelled(fields)])).toEqual([expect.stringMatching(`^some-text:2: .*${problem}`)]);
  });
});

describe('scoring lines', () => {
  const any = ['the **spring** was   broken'];

  it('finds the excerpt with any white space, Markdown marks and citation marks', () => {
    expect(scored({ any }, answered('- the spring [1][2] was broken, he says [1]', 'x', 'y'))).toBe('first');
    expect(scored({ any }, answered('the spring was new [1]', 'x'))).toBe('missing');
  });

  it('uses the words of a quote that the answer shortens', () => {
    expect(scored({ any }, answered('the spring … [1]', 'the spring was broken'))).toBe('first');
    expect(scored({ any }, answered('something [1]\nthe spring … [2]', 'x', 'the spring was broken'))).toBe('in');
  });

  it('puts first the part before the second citation', () => {
    expect(scored({ any }, answered('Gate 4\nthe spring was broken [1]\nmore [2]', 'x', 'y'))).toBe('first');
    expect(scored({ any }, answered('Gate 4 [1]\nthe spring was broken [2]', 'x', 'y'))).toBe('in');
  });

  it('requires all lines of a list, one of them or their heading first', () => {
    const list = { all: ['one thing', 'other thing'], under: 'Things' };
    expect(scored(list, answered('one thing [1]', 'x'))).toBe('missing');
    expect(scored(list, answered('one thing [1]\nother thing [2]', 'x', 'y'))).toBe('first');
    expect(scored(list, answered('Things [1]\none thing [2]\nother thing [3]', 'x', 'y', 'z'))).toBe('first');
    expect(scored(list, answered('nothing [1]\none thing [2]\nother thing [3]', 'x', 'y', 'z'))).toBe('in');
  });

  it('counts an answer without citations as right if the text has no answer', () => {
    expect(scored({ none: true }, answered('Not found: nothing says that.'))).toBe('first');
    expect(scored({ none: true }, answered('Perhaps this [1]', 'x'))).toBe('missing');
  });
});

describe('scoring numbers, names and durations', () => {
  it('looks in the words of the answer itself, and not in its quotes', () => {
    expect(scored({ number: 1295 }, answered('1,295 lines counted.\nfor example 7 [1]', 'x'))).toBe('first');
    expect(scored({ number: 7 }, answered('5 lines, 7 with the definition.'))).toBe('in');
    expect(scored({ number: 7 }, answered('took 7 ms [1]', 'it took 7 ms'))).toBe('missing');
  });

  it('does not read a part of a date, a time, a version or a name as a number', () => {
    expect(scored({ number: 2 }, answered('2026-03-02 10:02, v1.2, T-2, 2nd'))).toBe('missing');
  });

  it('accepts a rounded number, but not one rounded to a whole number', () => {
    expect(scored({ number: 39.8896 }, answered('The mean is 39.89.'))).toBe('first');
    expect(scored({ number: 39.8896 }, answered('The mean is 40.'))).toBe('missing');
    expect(scored({ number: 39 }, answered('The mean is 39.00.'))).toBe('first');
  });

  it('puts first a name in the first line', () => {
    expect(scored({ value: 'Acme' }, answered('Acme: 29 tickets\nBluefin: 25'))).toBe('first');
    expect(scored({ value: 'Acme' }, answered('Bluefin: 25\nAcme: 29'))).toBe('in');
    expect(scored({ value: 'Acme' }, answered('T-1,Acme [1]', 'T-1,Acme'))).toBe('missing');
  });

  it('adds the parts of a duration', () => {
    expect(scored({ seconds: 3866 }, answered('1 h 4 min 26 s, from [1] to [2]', 'x', 'y'))).toBe('first');
    expect(scored({ seconds: 254 }, answered('4 minutes and 14 seconds'))).toBe('first');
    expect(scored({ seconds: 120, within: 60 }, answered('5 ms, or 3 minutes'))).toBe('in');
    expect(scored({ seconds: 254 }, answered('4 minutes'))).toBe('missing');
  });
});

describe('the baseline', () => {
  it('quotes the two sentences that BM25 ranks first', () => {
    const { text } = plainAnswer(labelled({ ask: 'Where is the key of the sprinkler room?' }));
    expect(text.split('\n')).toHaveLength(2);
    expect(text.split('\n')[0]).toBe("18/05/2026, 13:12 - Henrik: where's the key of the sprinkler room? [1]");
  });

  it('counts the lines with the rarest word of the question', () => {
    const { text } = plainAnswer(labelled({ type: 'count', ask: 'How often is Handover written?' }));
    expect(text).toBe('5');
  });
});

describe('the report', () => {
  const miss = { isIn: false, isFirst: false };
  const outcome = (half: Label['half']) => ({
    label: labelled({ half, ask: `the ${half} question`, any: ['x'] }),
    answer: 'nothing',
    ours: miss,
    plain: miss,
    words: { ours: 1, plain: 1 },
  });

  it('shows failures of the dev half, and never a question of the test half', () => {
    const outcomes = [outcome('dev'), outcome('test')];
    expect(failuresOf(outcomes).join('\n')).toContain('the dev question');
    expect([...failuresOf(outcomes), ...reportOf('test', outcomes)].join('\n')).not.toContain('the test question');
  });

  it("gives Wilson's interval", () => {
    const [low, high] = wilson(8, 10);
    expect(low).toBeCloseTo(49.0, 1);
    expect(high).toBeCloseTo(94.3, 1);
  });
});
