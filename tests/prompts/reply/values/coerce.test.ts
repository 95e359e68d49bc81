import { describe, expect, it } from 'vitest';
import { coerce, emptyValue } from '../../../../src/prompts/reply/coerce.ts';
import type { Field } from '../../../../src/prompts/reply/fields.ts';

const read = (kind: Exclude<Field['kind'], 'choice'>, value: unknown) =>
  coerce({ kind, label: 'X', about: '', required: true }, value);

const choose = (value: unknown, options: readonly string[] = ['SIMPLE', 'COMPLEX']) =>
  coerce({ kind: 'choice', options, label: 'X', about: '', required: true }, value);

describe('a score', () => {
  it.each([
    [85, 85],
    ['85', 85],
    ['85/100', 85],
    ['8.5/10', 85],
    ['8,5/10', 85],
    ['8 out of 10', 80],
    ['85 %', 85],
    ['0.5%', 1],
    ['0.85', 85],
    [0.85, 85],
    [0, 0],
    ['0', 0],
    [100, 100],
    [1e-7, 0],
    ['**85**', 85],
    ['about 85', 85],
    ['85 (2 of 3 claims are proven)', 85],
    ['Of 3 claims 2 are proven: 67/100', 67],
  ])('%j is %j', (value, expected) => {
    expect(read('score', value)).toBe(expected);
  });

  it.each<unknown>([
    150,
    '150',
    '150/100',
    -5,
    '-5',
    -0.5,
    Number.POSITIVE_INFINITY,
    1e21,
    '5/0',
    'high',
    '',
    null,
    true,
    {},
    { toString: 'x' },
    [85],
    'between claims 2 and 3',
  ])('%j is refused', (value) => {
    expect(read('score', value)).toBeUndefined();
  });
});

describe('a choice', () => {
  it.each([
    ['SIMPLE', 'SIMPLE'],
    ['simple.', 'SIMPLE'],
    ['**COMPLEX**', 'COMPLEX'],
    ['__COMPLEX__', 'COMPLEX'],
    ['COMPLEX\nIt is not SIMPLE, since …', 'COMPLEX'],
    ['The question is complex', 'COMPLEX'],
    ['komplex', 'COMPLEX'],
    ['简单', 'SIMPLE'],
  ])('%j is %j', (value, expected) => {
    expect(choose(value)).toBe(expected);
  });

  it.each<unknown>([
    'SIMPLE or COMPLEX',
    'SIMPLE|COMPLEX',
    'simplex',
    'not simple',
    'nicht einfach',
    'It is not a simple one',
    '',
    7,
    null,
  ])('%j is refused', (value) => {
    expect(choose(value)).toBeUndefined();
  });

  it('knows other forms of an approach', () => {
    expect(choose('Decomposition', ['direct', 'decompose'])).toBe('decompose');
    expect(choose('indirect', ['direct', 'decompose'])).toBeUndefined();
  });
});

describe('a list', () => {
  it.each([
    ['bullets', '- a\n* b\n• c', ['a', 'b', 'c']],
    ['numbers', '1. a\n2) b\n(3) c', ['a', 'b', 'c']],
    ['lines', 'a\nb', ['a', 'b']],
    ['lines that go on', '- a\n  more\n- b', ['a more', 'b']],
    ['one line', 'a', ['a']],
    ['bold items', '- **a**\n- b', ['a', 'b']],
    ['a fence', '```\n- a\n- b\n```', ['a', 'b']],
    ['a rule after it', '- a\n---\n', ['a']],
    ['none', 'None.', []],
    ['none found', '- None found.', []],
    ['none in German', 'Keine', []],
    ['none in a fence', 'none\n```', []],
    ['empty', '', []],
    ['null', null, []],
    ['an array', ['a', 'N/A', '', 3], ['a', '3']],
    ['objects', [{ gap: 'a' }, { text: 'b', page: 1 }], ['a', 'b']],
  ])('%s', (_, value, expected) => {
    expect(read('list', value)).toEqual(expected);
  });

  it('keeps an item that begins with a word for "none"', () => {
    expect(read('list', ['No date is given', 'None of the logs has a date'])).toHaveLength(2);
  });

  it('is not an object', () => {
    expect(read('list', { a: 1 })).toBeUndefined();
  });
});

describe('questions', () => {
  const needs = (...lists: unknown[]) =>
    (
      read(
        'questions',
        lists.map((list, index) => ({ question: `q${index}`, needs: list })),
      ) as { needs: number[] }[]
    ).map((question) => question.needs);

  it('need only earlier ones, each once', () => {
    expect(needs([1], [1, 1], [3, 1, 4, -1, 0, 1.5], [99])).toEqual([[], [1], [1], []]);
  });

  it('state their needs in any form', () => {
    expect(needs(undefined, 1, '1 and 2', ['Q1', 2], null, 'none', [[[1]]])).toEqual([
      [],
      [1],
      [1, 2],
      [1, 2],
      [],
      [],
      [],
    ]);
  });

  it('keep their numbers when an earlier one cannot be read', () => {
    const items = [{ question: '' }, { question: 'a' }, { question: 'b', needs: [1, 2] }];
    expect(read('questions', items)).toEqual([
      { question: 'a', needs: [] },
      { question: 'b', needs: [1] },
    ]);
  });

  it('may be strings with a note', () => {
    expect(read('questions', ['Who?', '(needs 1) Why?', 'When (needs 1, 2)?'])).toEqual([
      { question: 'Who?', needs: [] },
      { question: 'Why?', needs: [1] },
      { question: 'When?', needs: [1, 2] },
    ]);
  });
});

describe('findings', () => {
  const whole = { passage: 'P3', quote: 'it broke', key: '02:14', finding: 'It broke at 02:14.' };

  it.each([
    ['objects', [whole], [whole]],
    [
      'other keys, and what is missing',
      [{ Passage_ID: '[P3]', Quote: '', statement: 'It broke.' }],
      [{ passage: 'P3', quote: null, key: '', finding: 'It broke.' }],
    ],
    ['a quote alone', [{ passage: 3, quote: 'so' }], [{ passage: 'P3', quote: 'so', key: '', finding: 'so' }]],
    [
      'lines',
      '- [P3] "it broke" | 02:14 | It broke at 02:14.\n- P4: “x” | It is so.',
      [whole, { passage: 'P4', quote: 'x', key: '', finding: 'It is so.' }],
    ],
    [
      'a quote with bars',
      ['[P3] "| a | b |" | a | A is b.'],
      [{ passage: 'P3', quote: '| a | b |', key: 'a', finding: 'A is b.' }],
    ],
    [
      'no passage, which the check will tell',
      ['It broke.'],
      [{ passage: '', quote: null, key: '', finding: 'It broke.' }],
    ],
    ['none', 'none', []],
    ['null', null, []],
    ['rubbish', [null, {}, [], true, '-'], []],
  ])('%s', (_, value, expected) => {
    expect(read('findings', value)).toEqual(expected);
  });
});

describe('citations', () => {
  it.each([
    ['objects', [{ passage: 'P3', quote: 'q' }], [{ passage: 'P3', quote: 'q' }]],
    ['other keys', [{ passage_id: '[P3]', Quote: '' }], [{ passage: 'P3', quote: null }]],
    [
      'numbers',
      [3, { id: 4 }],
      [
        { passage: 'P3', quote: null },
        { passage: 'P4', quote: null },
      ],
    ],
    [
      'strings',
      ['P3', '[P4] "a "b" c"'],
      [
        { passage: 'P3', quote: null },
        { passage: 'P4', quote: 'a "b" c' },
      ],
    ],
    [
      'lines',
      '- [P3] “so”\n- P4: „das“',
      [
        { passage: 'P3', quote: 'so' },
        { passage: 'P4', quote: 'das' },
      ],
    ],
    [
      'several in a line',
      '[P3], [P4] "x"',
      [
        { passage: 'P3', quote: null },
        { passage: 'P4', quote: null },
      ],
    ],
    ['none', 'none', []],
    ['rubbish', ['see above', null, {}, [], true], []],
  ])('%s', (_, value, expected) => {
    expect(read('citations', value)).toEqual(expected);
  });
});

describe('text', () => {
  it.each([
    ['  a  ', 'a'],
    ['**a**', 'a'],
    ['**a** and **b**', '**a** and **b**'],
    ['```\na\n```', 'a'],
    ['```js\na\n```\nor\n```js\nb\n```', '```js\na\n```\nor\n```js\nb\n```'],
    [42, '42'],
    [false, 'false'],
    [['a', 'b'], 'a\nb'],
  ])('%j is %j', (value, expected) => {
    expect(read('text', value)).toBe(expected);
  });

  it.each<unknown>(['', '  ', null, {}, [], [1]])('%j is none', (value) => {
    expect(read('text', value)).toBeUndefined();
  });

  it('is empty if it is optional', () => {
    expect(emptyValue({ kind: 'text', label: 'X', about: '', required: false })).toBe('');
    expect(emptyValue({ kind: 'list', label: 'X', about: '', required: false })).toEqual([]);
  });
});
