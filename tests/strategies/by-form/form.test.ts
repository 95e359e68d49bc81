import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../../src/strategies/by-form/form.ts';
import type { Join } from '../../../src/strategies/by-form/join.ts';
import { valuesOf } from '../../../src/strategies/by-form/measured.ts';
import { verdictOf } from '../../../src/strategies/by-form/solve-comparison.ts';
import { namedIn } from '../../../src/strategies/by-form/solve-join.ts';

describe('the form of a question', () => {
  it.each([
    [
      'When was the clock built in the city where Karel was born?',
      'What is the city where Karel was born?',
      'When was the clock built in Brno?',
    ],
    [
      'Who is the spouse of the director of Jump for Glory?',
      'Who is the director of Jump for Glory?',
      'Who is the spouse of Brno?',
    ],
    [
      'When does the licence of the vendor of Ledger 4 end?',
      'What is the vendor of Ledger 4?',
      'When does the licence of Brno end?',
    ],
    ["When does the leave of Ann's lead end?", "Who is Ann's lead?", 'When does the leave of Brno end?'],
    [
      'Who stands in for the person who approves level 3?',
      'Who is the person who approves level 3?',
      'Who stands in for Brno?',
    ],
    [
      'When did the country where the city in which Ann was born is located join?',
      'What is the city in which Ann was born?',
      'When did the country where Brno is located join?',
    ],
  ])('joins two questions in %s', (question, inner, outer) => {
    const form = readForm(question) as Join;
    expect(form).toMatchObject({ kind: 'join', inner });
    expect(form.outer('Brno')).toBe(outer);
  });

  it.each([
    ['Which is longer, the Nile or the Amazon?', ['How long is the Nile?', 'How long is the Amazon?'], 'most'],
    [
      'Which pool has fewer connections: A1, B1 or C1?',
      ['How many connections has A1?', 'How many connections has B1?', 'How many connections has C1?'],
      'least',
    ],
    ['Which was released first, D-1 or D-2?', ['When was D-1 released?', 'When was D-2 released?'], 'least'],
    [
      'Which takes longer, a rollback or a release?',
      ['How long does a rollback take?', 'How long does a release take?'],
      'most',
    ],
    ['Is the Nile longer than the Amazon?', ['How long is the Nile?', 'How long is the Amazon?'], 'most'],
    ['Do A1 and B1 have the same owner?', ['What is the owner of A1?', 'What is the owner of B1?'], 'same'],
  ])('compares in %s', (question, parts, picks) => {
    const form = readForm(question);
    expect(form).toMatchObject({ kind: 'compare', picks });
    expect(form?.kind === 'compare' && form.parts.map(({ question: part }) => part)).toEqual(parts);
  });

  it.each([
    ['Which of the files mention the security lead?', 'Does this file mention the security lead?', 'file'],
    ['Which policies are older than a year?', 'Is this policy older than a year?', 'policy'],
    ['Which document discusses leave?', 'Does this document discuss leave?', 'document'],
    ['Which notes must be kept?', 'Must this note be kept?', 'note'],
    ['Which reports have a date?', 'Does this report have a date?', 'report'],
  ])('asks each document in %s', (question, asked, noun) => {
    expect(readForm(question)).toEqual({ kind: 'documents', question: asked, noun });
  });

  it.each([
    'Who is the director of Jump for Glory?',
    'What is the city where Karel was born?',
    'What is the capital of France?',
    'Which release limited the pool?',
    'When does the rotation of the person who approves level 3 change?',
    'Which is better, tea or coffee?',
    'How many files are there?',
    'In the country that Ann knows, what percentage was from there?',
    '',
  ])('shows no parts in %s', (question) => {
    expect(readForm(question)).toBeNull();
  });

  it('reads any text, in time in proportion to it', () => {
    const words = fc.constantFrom(
      'the',
      'city',
      'where',
      'who',
      'of',
      'Ann',
      "Ann's",
      ',',
      'is',
      'or',
      'which',
      'first',
      '?',
      '“',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 400 }), (parts) => {
        const form = readForm(parts.join(' '));
        if (form?.kind === 'join') expect(form.outer('X')).toContain('X');
        if (form?.kind === 'compare') expect(form.parts.length).toBeGreaterThan(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('what the answers to parts come to', () => {
  it.each([
    ['Prague', 'Prague'],
    ['Karel was born in Brno [P3], Moravia.', 'Brno'],
    ['the head of operations', 'the head of operations'],
    ['The Karel Museum of Brno is in the city of Graz, Styria.', 'Graz'],
    ['It is said in the passages that nobody can tell where it was in the end.', null],
  ])('takes a name from %s', (answer, name) => {
    expect(namedIn(answer, 'What is the city where Karel was born?')).toBe(name);
  });

  const compare = (question: string, ...answers: string[]) => {
    const form = readForm(question);
    return form?.kind === 'compare' ? verdictOf(form, answers) : undefined;
  };

  it.each([
    ['Which is longer, the Nile or the Amazon?', ['6,650 km [P1]', 'about 6400 km'], 'The Nile.'],
    ['Which is shorter, the road or the path?', ['2 km', '1,900 metres'], 'The path.'],
    [
      'Which is longer, the road or the path?',
      ['2 km', '2000 metres'],
      'the road and the path: there is no difference.',
    ],
    ['Which is longer, the road or the path?', ['2 km', '3 hours'], null],
    ['Which is longer, the road or the path?', ['2 km', 'It is long.'], null],
    ['Is the road longer than the path?', ['2 km', '3 km'], 'No.'],
    ['Which was released first, D-1 or D-2?', ['on 3 May 2024', '2024-04-30'], 'D-2.'],
    ['Which was released last, D-1 or D-2?', ['in May 2024', 'April 2024'], 'D-1.'],
    ['Do A1 and B1 have the same owner?', ['Ann [P1].', 'ann'], 'Yes, it is the same.'],
    ['Do A1 and B1 have the same limit?', ['40', '4'], 'No, they differ.'],
    ['Do A1 and B1 have the same owner?', ['Ann', 'Ann and Bob'], null],
  ])('%s %j', (question, answers, verdict) => {
    expect(compare(question, ...answers)).toBe(verdict);
  });

  it('takes no number of the question for an answer', () => {
    const question = 'How many lines has file 7?';
    expect(
      valuesOf([
        { question, answer: 'File 7 has 12 lines.' },
        { question, answer: '7' },
      ]),
    ).toBeNull();
  });
});
