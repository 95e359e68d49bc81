import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropBareMarks } from '../../src/evidence/bare-marks.ts';

const given = ['12:00 worker [3] died\nas Smith showed [7]\n'];
const drop = (answer: string) => dropBareMarks(answer, given);

describe('a bare mark', () => {
  it.each([
    ['after a word', 'It failed [7].', 'It failed.'],
    ['after a sentence', 'It failed.[1] Then it rose. [2]', 'It failed. Then it rose.'],
    ['after a passage', 'It failed [P1][2], and rose [P2], [3].', 'It failed [P1], and rose [P2].'],
    ['before a passage', 'It failed [2][P1].', 'It failed [P1].'],
    ['of several numbers', 'It failed [1, 2] and rose [3–5] [6], [7].', 'It failed and rose.'],
    ['after bold, code and a quotation', '**It** [1], `it()` [2], "it" [3]', '**It**, `it()`, "it"'],
    ['after a Markdown link', 'See [the log](log.md) [1]', 'See [the log](log.md)'],
    ['after an ideograph', '失败了[1]。', '失败了。'],
    [
      'between a word and a fence',
      'It failed [1]\n```\na [1]\n```\nand rose [2]',
      'It failed\n```\na [1]\n```\nand rose',
    ],
  ])('%s is left out', (_, answer, expected) => {
    const { answer: without, problems } = drop(answer);
    expect(without).toBe(expected);
    expect(problems.length).toBeGreaterThan(0);
  });

  it('is named once', () => {
    expect(drop('a [7], b [7]').problems).toEqual([
      'the mark [7] of the reply was removed, because it names no passage; a number in the answer stands for a checked citation',
    ]);
  });

  it.each([
    [
      'that stands so in the text',
      'At noon "worker [3] died", as Smith showed [7].',
      'At noon "worker (3) died", as Smith showed (7).',
    ],
    ['that begins a line', '[1] It failed\n- [2] It rose', '(1) It failed\n- (2) It rose'],
  ])('%s gets round brackets', (_, answer, expected) => {
    expect(drop(answer)).toEqual({ answer: expected, problems: [] });
  });

  it('is left out if the text has it elsewhere', () => {
    expect(drop('The service died [3]').answer).toBe('The service died');
    expect(drop('```inline```\nThe service died [3]').answer).toBe('```inline```\nThe service died');
  });
});

describe('unchanged is', () => {
  it.each([
    ['an index', 'Look at a[0], list[1], f(x)[2] and m[1][2].'],
    ['a list', 'x = [1], {"ports": [80, 81]}, ([1]), [[1], [2]]'],
    ['inline code', 'Use `return [1]` or `` a ` [1] ``.'],
    ['fenced code', 'So:\n\n```js\nreturn [1]\n```\n~~~\nin [2]\n~~~'],
    ['code whose fence is not closed', '```\nreturn [1]'],
    ['a link', 'See [1](https://example.com), [text][1] and [1][text].\n\n[1]: https://example.com'],
    ['a pattern', 'It matches [1-9]+ and x[1-9]{2}.'],
    ['what is no citation number', 'In [2024], [0], [443] and [x].'],
    ['a passage', 'It failed [P1][P2].'],
  ])('%s', (_, answer) => {
    expect(drop(answer)).toEqual({ answer, problems: [] });
  });

  it('is handled in any text, and a second time changes nothing', () => {
    const piece = fc.constantFrom('[1]', '[2, 3]', ' ', 'word', '.', '`', '```', '\n', 'a', '(', '[P1]', ':', '[', ']');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = drop(pieces.join(''));
        expect(drop(once.answer).answer).toBe(once.answer);
        const words = (text: string) => text.replace(/[^a-zP]/g, '');
        expect(words(once.answer)).toBe(words(pieces.join('')));
      }),
    );
  });

  it('is handled quickly in long answers', () => {
    const answer = `${' '.repeat(20_000)}[1]${'`'.repeat(20_000)}${'[1] '.repeat(20_000)}x`;
    expect(drop(answer).answer).toContain('x');
  });
});
