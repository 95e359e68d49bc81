import { describe, expect, it } from 'vitest';
import {
  jsonScores,
  listF1,
  listRecall,
  numberAmong,
  numberStated,
  saysAbsent,
  sourceScores,
  statesAbsent,
} from '../../../src/eval/scorers/other-scores.ts';

const about = (value: number) => expect.closeTo(value, 9);

/** Columns: reply, list, recall, F1. */
const lists: readonly [string, readonly string[], number, number][] = [
  ['checkout, platform, data and customer tools', ['checkout', 'platform', 'data', 'customer tools'], 1, 1],
  ['- checkout\n- platform\n- data\n- customer tools', ['checkout', 'platform', 'data', 'customer tools'], 1, 1],
  ['1. checkout\n2. platform', ['checkout', 'platform'], 1, 1],
  ['The rotations are: checkout, platform.', ['checkout', 'platform'], 1, 1],
  ['Checkout; Platform', ['checkout', 'platform'], 1, 1],
  ['checkout', ['checkout', 'platform'], 0.5, 2 / 3],
  ['checkout, platform, data', ['checkout', 'platform'], 1, 4 / 5],
  ['a1, b2, c3, d4, e5, f6, g7, h8', ['c3'], 1, 2 / 9],
  ['', ['x'], 0, 0],
  ['none of them', ['x'], 0, 0],
  ['platform or checkout', ['checkout', 'platform'], 1, 1],
  ['checkout, checkout, checkout', ['checkout'], 1, 1],
  ['- checkout (4 people)\n- platform (5 people)', ['checkout', 'platform'], 1, 1],
  ['- checkout, which has all kinds of people in it from everywhere', ['checkout'], 1, 0],
  ['* alpha [1]\n* beta [2]', ['alpha', 'beta'], 1, 1],
  ['ABCDE, FGHIJ', ['ABCDE', 'FGHIJ'], 1, 1],
  ['The variables ABCDE FGHIJ KLMNO hold it', ['ABCDE', 'FGHIJ'], 1, 4 / 5],
  ['ABCDE', ['ABCDE', 'FGHIJ', 'KLMNO', 'PQRST', 'UVWXY'], 0.2, 1 / 3],
  ['abcde', ['ABCDE'], 1, 0],
  ['1234567 and 7654321', ['1234567', '7654321'], 1, 1],
  ['1234567 and 7654321 and 1111111', ['1234567'], 1, 0.5],
  ['12345678', ['1234567'], 0, 0],
  ['The number is 1234567.', ['1234567'], 1, 1],
  ['(12, 34), (56, 78)', ['(12, 34)', '(56, 78)'], 1, 1],
  ['(12,34)', ['(12, 34)'], 1, 1],
  ['(34, 12)', ['(12, 34)'], 1, 1],
  ['(12, 34)\n(99, 98)\n(97, 96)', ['(12, 34)'], 1, 0.5],
  ['8fe2b2a0-1111-4c4c-9d9d-0123456789ab', ['8fe2b2a0-1111-4c4c-9d9d-0123456789ab'], 1, 1],
  ['red\ngreen\nblue', ['red', 'green', 'blue'], 1, 1],
  ['red\ngreen\nblue', ['red', 'green', 'yellow'], 2 / 3, 2 / 3],
  ['salt and pepper', ['salt and pepper'], 1, 0],
  ['- salt and pepper', ['salt and pepper'], 1, 1],
  ['Items: red; green.', ['red', 'green'], 1, 1],
  ['The red', ['red'], 1, 1],
];

describe('list', () => {
  it.each(lists)('%j against %j', (reply, golds, recall, f1) => {
    expect([listRecall(reply, golds), listF1(reply, golds)]).toEqual([about(recall), about(f1)]);
  });
});

/** Columns: reply, number, tolerance, score of the best stated number, score of the first one. */
const numbers: readonly [string, number, number, number, number][] = [
  ['58', 58, 0, 1, 1],
  ['58 lines', 58, 0, 1, 1],
  ['There are 58.', 58, 0, 1, 1],
  ['59', 58, 0, 0, 0],
  ['59', 58, 1, 1, 1],
  ['58.5', 58, 0.5, 1, 1],
  ['1,234', 1234, 0, 1, 1],
  ['1,234,567.5', 1234567.5, 0, 1, 1],
  ['1234', 1234, 0, 1, 1],
  ['-3', -3, 0, 1, 1],
  ['3', -3, 0, 0, 0],
  ['four', 4, 0, 1, 1],
  ['Four people', 4, 0, 1, 1],
  ['fourteen', 4, 0, 0, 0],
  ['twenty', 20, 0, 1, 1],
  ['none', 0, 0, 0, 0],
  ['zero', 0, 0, 1, 1],
  ['', 0, 0, 0, 0],
  ['no number', 1, 0, 0, 0],
  ['58 [1]', 1, 0, 0, 0],
  ['58 [12]', 58, 0, 1, 1],
  ['1. 58', 1, 0, 0, 0],
  ['1. The count is 58', 58, 0, 1, 1],
  ['Answer: 58', 58, 0, 1, 1],
  ['I count 57 or 58. Answer: 58', 58, 0, 1, 0],
  ['I count 57.\nAnswer: 58', 58, 0, 1, 1],
  ['1 2 3 4 5 6 7', 3, 0, 1, 0],
  ['57, then 58', 58, 0, 1, 0],
  ['0.1', 0.1, 0, 1, 1],
  ['30 %', 30, 0, 1, 1],
  ['$3.50', 3.5, 0, 1, 1],
  ['v58', 58, 0, 0, 0],
  ['2026-03-17', 17, 0, 0, 0],
  ['It lasted from 20:49:25 to 23:02:25: 133 minutes.', 133, 0, 1, 1],
  ['25 of the 195 letters: letters 4, 14, 16, 20.', 25, 0, 1, 1],
  ['24 of the 195 letters: letters 4, 14, 16, 25.', 25, 0, 0, 0],
  ['Of the 195 letters, 25 say so.', 25, 0, 1, 0],
  ['There are 24. Number 25 is another case.', 25, 0, 0, 0],
  ['The days are: 231.', 231, 0, 1, 1],
  ['Between 2 and 4, that is 3 in 2024 and 5 in 2025', 2, 0, 1, 0],
];

describe('number', () => {
  it.each(numbers)('%j against %d ± %d', (reply, number, tolerance, anywhere, stated) => {
    const gold = { number, tolerance, decay: null };
    expect([numberAmong(reply, gold), numberStated(reply, gold)]).toEqual([anywhere, stated]);
  });

  it.each([
    [5, 1],
    [6, 0.75],
    [3, 0.5625],
  ])('with decay 0.75, %d against 5 scores %d, as in OOLONG', (said, wanted) => {
    expect(numberStated(`Answer: ${said}`, { number: 5, tolerance: 0, decay: 0.75 })).toBeCloseTo(wanted, 12);
  });
});

/** Columns: reply, whether it says anywhere that the text has no answer, whether this is what it states. */
const absences: readonly [string, boolean, boolean][] = [
  ['Not found: no sentence in the text matches "x" well enough.', true, true],
  ['The text does not say.', true, true],
  ["The text doesn't mention it.", true, true],
  ['The text doesn’t mention it.', true, true],
  ['The passages do not contain that information.', true, true],
  ['The documents did not specify a price.', true, true],
  ['The passages do not explicitly state it.', true, true],
  ['There is no information about parking.', true, true],
  ['There is no mention of it.', true, true],
  ['It is not stated.', true, true],
  ["It isn't mentioned.", true, true],
  ['The price is not given in the text.', true, true],
  ['That was not specified.', true, true],
  ['I cannot answer this from the text.', true, true],
  ['This can’t be determined.', true, true],
  ['I am unable to find it.', true, true],
  ['Cannot be determined from the passages.', true, true],
  ['Unknown', true, true],
  ['Unanswerable.', true, true],
  ['N/A', true, true],
  ['Not enough information.', true, true],
  ['Nothing in the text tells it.', true, true],
  ["I don't know.", true, true],
  ['No answer.', true, true],
  ['Answer: not found', true, true],
  ['27 days.', false, false],
  ['No.', false, false],
  ['It costs nothing.', false, false],
  ['It does not cost anything.', false, false],
  ['The limit is not 20 but 4.', false, false],
  ['It is 20. The text does not say why.', true, false],
  [`The text does not say. ${'But it may be so. '.repeat(30)}`, true, false],
  ['', false, false],
  ['Nobody is allowed to.', false, false],
];

describe('absent', () => {
  it.each(absences)('%j', (reply, says, states) => {
    expect([saysAbsent(reply), statesAbsent(reply)]).toEqual([says, states]);
  });
});

/** Columns: cited, wanted, recall, F1. */
const cited: readonly [readonly string[], readonly string[], number, number][] = [
  [['a.md'], ['a.md'], 1, 1],
  [['docs/a.md'], ['a.md'], 1, 1],
  [['docs/a.md'], ['docs/a.md'], 1, 1],
  [['a.md'], ['docs/a.md'], 0, 0],
  [['ba.md'], ['a.md'], 0, 0],
  [['./docs/a.md'], ['docs/a.md'], 1, 1],
  [['docs\\a.md'], ['docs/a.md'], 1, 1],
  [[], ['a.md'], 0, 0],
  [['a.md', 'b.md'], ['a.md'], 1, 2 / 3],
  [['a.md'], ['a.md', 'b.md'], 0.5, 2 / 3],
  [['a.md', 'a.md'], ['a.md'], 1, 1],
  [['c.md'], ['a.md', 'b.md'], 0, 0],
  [['a.md', 'c.md'], ['a.md', 'b.md'], 0.5, 0.5],
  [['a.md', 'b.md', 'c.md', 'd.md'], ['a.md'], 1, 0.4],
  [['x/y/z/a.md'], ['y/z/a.md'], 1, 1],
  [['x/y/z/a.md'], ['x/z/a.md'], 0, 0],
  [['stdin'], ['stdin'], 1, 1],
  [['A.md'], ['a.md'], 0, 0],
  [['x/a.md', 'y/a.md'], ['a.md'], 1, 1],
  [['x/a.md', 'y/a.md'], ['x/a.md'], 1, 2 / 3],
  [['/abs/docs/a.md'], ['docs/a.md'], 1, 1],
  [['a.md'], ['./a.md'], 1, 1],
  [['a.md', 'b.md'], ['b.md', 'a.md'], 1, 1],
  [['a.md.bak'], ['a.md'], 0, 0],
  [['docs'], ['docs/a.md'], 0, 0],
  [['docs/a.md'], ['docs'], 0, 0],
  [['a.md', 'b.md', 'c.md'], ['a.md', 'b.md', 'c.md'], 1, 1],
  [['a.md', 'b.md', 'c.md'], ['a.md', 'b.md'], 1, 0.8],
  [['a.md', 'x.md', 'y.md'], ['a.md', 'b.md'], 0.5, 0.4],
  [['notes/2024/a.md'], ['2024/a.md'], 1, 1],
  [['docs/team.mbox', 'docs/a.md'], ['*.mbox'], 1, 2 / 3],
  [['/abs/docs/mail/team.mbox'], ['docs/**/*.{mbox,eml}'], 1, 1],
  [['../docs/.mail/team.mbox'], ['*.mbox'], 1, 1],
  [['docs/mail/team.mbox'], ['docs/*.mbox'], 0, 0],
  [['docs/notes [1].md'], ['notes [1].md'], 1, 1],
];

describe('sources', () => {
  it.each(cited)('%j against %j', (sources, wanted, recall, f1) => {
    expect(sourceScores(sources, wanted)).toEqual({ recall: about(recall), f1: about(f1) });
  });
});

/** Columns: reply, value, share of equal values, 1 if the whole value is equal. */
const jsons: readonly [string, unknown, number, number][] = [
  ['{"a": 1}', { a: 1 }, 1, 1],
  ['{"a":1}', { a: 1 }, 1, 1],
  ['Here: {"a": 1}', { a: 1 }, 1, 1],
  ['```json\n{"a": 1}\n```', { a: 1 }, 1, 1],
  ['```\n{"a": 1}\n```', { a: 1 }, 1, 1],
  ['{"a": 2}', { a: 1 }, 0, 0],
  ['{"a": "1"}', { a: 1 }, 0, 0],
  ['{"a": 1, "b": 2}', { a: 1 }, 1, 0],
  ['{"a": 1}', { a: 1, b: 2 }, 0.5, 0],
  ['{"b": 2, "a": 1}', { a: 1, b: 2 }, 1, 1],
  ['[1, 2]', [1, 2], 1, 1],
  ['[2, 1]', [1, 2], 0, 0],
  ['[1, 2, 3]', [1, 2], 1, 0],
  ['[]', [], 1, 1],
  ['{}', {}, 1, 1],
  ['{}', [], 0, 0],
  ['null', null, 1, 1],
  ['', null, 0, 0],
  ['no JSON', { a: 1 }, 0, 0],
  ['{"a": {"b": [1, {"c": true}]}}', { a: { b: [1, { c: true }] } }, 1, 1],
  ['{"a": {"b": [1, {"c": false}]}}', { a: { b: [1, { c: true }] } }, 0.5, 0],
  ['{"a": 1.0}', { a: 1 }, 1, 1],
  ['{"a": null}', { a: null }, 1, 1],
  ['{}', { a: null }, 0, 0],
  ['{"a": 1', { a: 1 }, 0, 0],
  ['{"a": "x"} and more', { a: 'x' }, 1, 1],
  ['{"A": 1}', { a: 1 }, 0, 0],
  ['"text"', 'text', 1, 1],
  ['3', 3, 1, 1],
  ['{"a": []}', { a: [] }, 1, 1],
  ['{"a": [0]}', { a: [] }, 0, 0],
];

describe('json', () => {
  it.each(jsons)('%j against %j', (reply, gold, lenient, strict) => {
    expect(jsonScores(reply, gold)).toEqual({ lenient: about(lenient), strict });
  });
});
