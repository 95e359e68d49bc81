import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { answerFromPassages } from '../../../src/providers/extractive/prompts/answer.ts';
import { composeParts } from '../../../src/providers/extractive/prompts/compose.ts';
import { splitAtMost } from '../../../src/providers/extractive/question/clauses.ts';
import { compareYears } from '../../../src/providers/extractive/question/comparisons.ts';
import { freshAnswer } from '../../../src/providers/extractive/question/fresh-answer.ts';

const clausesOf = (question: string) => splitAtMost(question, 8).map((clause) => clause.question);

const texts = [
  'The Eiffel Tower was completed in 1889. It stands in Paris.',
  'The Louvre is a museum. The Louvre opened in 1793.',
];

function answer(question: string): string {
  const store = createContextStore(texts.map((text, place) => ({ name: `d${place}.txt`, bytes: Buffer.from(text) })));
  const passages = texts.map((_, place) => store.passage(store.chunk(place), 5 - place));
  return answerFromPassages({ question, passages, known: [], criteria: [] }).answer;
}

describe('a question that compares', () => {
  it('is a question about each of the things', () => {
    expect(clausesOf('Were Ann Lee and Ed Wood of the same nationality?')).toEqual([
      'What is said about Ann Lee (of the same nationality)?',
      'What is said about Ed Wood (of the same nationality)?',
    ]);
    expect(clausesOf('Are Random House and Penguin both publishers?')).toHaveLength(2);
    expect(clausesOf('Which is older, the Eiffel Tower or the Louvre?')).toHaveLength(2);
    expect(clausesOf('Is Oslo larger than Bergen?')).toHaveLength(2);
  });

  it('is distinguished from a question that only has such words', () => {
    for (const question of [
      'Did the storm hit before or after the election?',
      'Which pumps are older than the house or the barn?',
      'Is the cache larger than the limit?',
      'At the 2011 census, what was the population of the town?',
      'Besides Little Rock, Arkansas, which city had a riot?',
    ])
      expect(clausesOf(question)).toEqual([question]);
  });

  it('is answered side by side, with the years compared', () => {
    const older = answer('Which is older, the Eiffel Tower or the Louvre?');
    expect(older.split('\n')[0]).toBe('By the years in the lines below, 1793 is before 1889: the Louvre.');
    expect(older).toContain('completed in 1889. [P1]');
    expect(older).toContain('opened in 1793. [P2]');
    expect(answer('Which was opened later, the Eiffel Tower or the Louvre?').split('\n')[0]).toContain(
      'the Eiffel Tower',
    );
    expect(answer('Are the Eiffel Tower and the Louvre both in Paris?')).not.toContain('By the years');
  });

  it('compares years only where each is certain', () => {
    const question = 'Which is older, A1 or B2?';
    const side = (item: string, line: string) => ({ question: `What is said about ${item}?`, lines: [line] });
    const compare = (one: string, other: string) => compareYears(question, [side('A1', one), side('B2', other)]);
    expect(compare('A1 was built in 1900. [P1]', 'B2 was built in 1800. [P2]')).toContain('1800 is before 1900: B2.');
    expect(compare('A1 was built in 1900 or 1901. [P1]', 'B2 was built in 1800. [P2]')).toBeNull();
    expect(compare('It was built in 1900. [P1]', 'B2 was built in 1800. [P2]')).toBeNull();
    expect(compare('A1 was built in 1900. [P1]', 'B2 was built in 1900. [P2]')).toBeNull();
    expect(compareYears('When was A1 built?', [side('A1', 'A1 was built in 1900. [P1]')])).toBeNull();
  });

  it('has the years compared where its parts were answered one by one', () => {
    const parts = [
      { question: 'What is said about A1 (Which is newer)?', answer: 'A1 was built in 1900. [P1]' },
      { question: 'What is said about B2 (Which is newer)?', answer: 'B2 was built in 1800. [P2]' },
    ];
    const { finalAnswer } = composeParts({ question: 'Which is newer, A1 or B2?', parts, criteria: [] });
    expect(finalAnswer).toMatch(/^By the years in the lines below, 1900 is after 1800: A1\.\n\n/);
  });
});

describe('a title in quotation marks', () => {
  it('stays whole', () => {
    expect(clausesOf('Who wrote "What is love, and where is it?" in 1993?')).toHaveLength(1);
    expect(clausesOf('Who wrote "Stop; Look", and when?')).toEqual([
      'Who wrote "Stop; Look"?',
      expect.stringContaining('hen'),
    ]);
  });
});

describe('a new answer', () => {
  it('is of the kind that is asked for, and not in the question', () => {
    expect(freshAnswer('when did it fall in 1990?', 'It fell in 1990.')).toBe(0);
    expect(freshAnswer('when did it fall?', 'It fell in 1990.')).toBe(1);
    expect(freshAnswer('who led Rome?', 'Then Julius Caesar led Rome.')).toBe(1);
    expect(freshAnswer('who led Rome?', 'Then Rome was led.')).toBe(0);
    expect(freshAnswer('how many ships were there?', 'There were three ships.')).toBeCloseTo(0.6);
    expect(freshAnswer('what is it?', 'It is 3.')).toBe(0);
  });
});
