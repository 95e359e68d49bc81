import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allScore, exactScore, f1Score, holdsScore, statesScore } from '../../../src/eval/scorers/text-scores.ts';

interface SquadCase {
  readonly reply: string;
  readonly golds: readonly string[];
  readonly f1: number;
  readonly exact: number;
}

const squad = JSON.parse(readFileSync(new URL('../data/squad-scores.json', import.meta.url), 'utf8')) as SquadCase[];

describe('exact and F1', () => {
  it.each(squad)('score $reply against $golds as published', ({ reply, golds, f1, exact }) => {
    expect([exactScore(reply, golds), f1Score(reply, golds)]).toEqual([exact, expect.closeTo(f1, 12)]);
  });

  it.each([
    ['Some thoughts.\nAnswer: Denver Broncos', 1],
    ['ANSWER: Denver Broncos [1]', 1],
    ['**Answer:** Denver Broncos', 1],
    ['The final answer is: Denver Broncos.', 1],
    ['Denver Broncos [P12]', 1],
    ['Answer: Denver Broncos and the Raiders', 0],
  ])('exact uses the part that %j labels as its answer', (reply, wanted) => {
    expect(exactScore(reply, ['Denver Broncos'])).toBe(wanted);
  });
});

/** Columns: reply, answers, whether one occurs anywhere, whether the reply states it. */
const holding: readonly [string, readonly string[], number, number][] = [
  ['Full-time employees have 27 days of leave. [1]', ['27'], 1, 1],
  ['27', ['27'], 1, 1],
  ['127 days', ['27'], 0, 0],
  ['27.', ['27'], 1, 1],
  ['2027', ['27'], 0, 0],
  ['I know it well', ['no'], 0, 0],
  ['No, it may not.', ['no'], 1, 1],
  ['No', ['No'], 1, 1],
  ['Yes, but there is no limit.', ['no'], 0, 0],
  ['Yes, but there is no limit.', ['yes'], 1, 0],
  ['Nobody knows', ['no'], 0, 0],
  ['yes and no', ['yes'], 1, 0],
  ['The text does not say. Perhaps 27.', ['27'], 1, 0],
  ['It was Ann. Or Ben. Or Carl.', ['Carl'], 1, 0],
  ['It was Ann. Or Ben. Or Carl.', ['Ann'], 1, 1],
  ['Let me think.\nAnswer: Carl', ['Carl'], 1, 1],
  ['Answer: Ann\nNo, wait.\nAnswer: Carl', ['Carl'], 1, 1],
  ['Answer: Ann\nNo, wait.\nAnswer: Carl', ['Ann'], 1, 0],
  ['the head of operations', ['Head of Operations'], 1, 1],
  ['head of all operations', ['head of operations'], 0, 0],
  ['The head of operations decides', ['head of operations', 'duty manager'], 1, 1],
  ['The duty manager decides', ['head of operations', 'duty manager'], 1, 1],
  ['“Broncos”', ['Broncos'], 1, 1],
  ['Broncos’ win', ['Broncos'], 1, 1],
  ['', ['x'], 0, 0],
  ['the', ['the'], 1, 1],
  ['Größe: 12', ['größe'], 1, 1],
  ['GRÖSSE', ['größe'], 0, 0],
  ['１２ days', ['12'], 1, 1],
  ['**27** days', ['27'], 1, 1],
  ['27 [1]', ['1'], 0, 0],
  ['P12 is down [P12]', ['P12'], 1, 1],
  [`${'one two three '.repeat(20)}27`, ['27'], 1, 0],
  [
    '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29',
    ['27'],
    1,
    0,
  ],
  ['On the first line.\n27 on the second.', ['27'], 1, 0],
  ['not applicable', ['applicable'], 1, 1],
];

describe('contains', () => {
  it.each(holding)('%j against %j', (reply, golds, anywhere, stated) => {
    expect([holdsScore(reply, golds), statesScore(reply, golds)]).toEqual([anywhere, stated]);
  });

  it.each([
    ['alpha and beta', ['alpha', 'beta'], 1],
    ['alpha', ['alpha', 'beta'], 0.5],
    ['alphabeta', ['alpha', 'beta'], 0],
    ['', ['alpha'], 0],
    ['Beta, ALPHA', ['alpha', 'beta'], 1],
  ])('all of %j: %j', (reply, golds, wanted) => {
    expect(allScore(reply, golds)).toBe(wanted);
  });

  it('never scores a part of a word, whatever the words are', () => {
    const word = fc.stringMatching(/^[b-z]{2,8}$/);
    fc.assert(
      fc.property(word, word, (gold, other) => {
        fc.pre(['yes', 'no', 'an', 'the'].every((one) => one !== gold));
        expect(holdsScore(`x${gold}${other}`, [gold])).toBe(0);
        expect(holdsScore(`${other} ${gold}`, [gold])).toBe(1);
      }),
    );
  });
});
