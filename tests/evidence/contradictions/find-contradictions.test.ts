import { describe, expect, it } from 'vitest';
import { findContradictions } from '../../../src/evidence/contradictions/find-contradictions.ts';
import { passagesOf } from '../../support/passages.ts';

const find = (question: string, one: string, other: string) =>
  findContradictions(question, [
    ...passagesOf(one, 10_000, 'runbook.md'),
    ...passagesOf(other, 10_000, 'deploys.md').map((passage) => ({ ...passage, id: 'P9' })),
  ]);

describe('two places of a text', () => {
  it.each([
    [
      'a number',
      'How large is the pool?',
      'The pool is limited to 40 connections.',
      'The pool is limited to 4 connections.',
      'runbook.md:1 says 40, deploys.md:1 says 4',
    ],
    [
      'a year',
      'When was the bridge opened?',
      'The bridge was opened to traffic in 1932.',
      'The bridge was opened to traffic in 1937.',
      'runbook.md:1 says 1932, deploys.md:1 says 1937',
    ],
    [
      'a name',
      'Who approved the release?',
      'The release was approved by Ada Poole.',
      'The release was approved by Tom Reed.',
      'runbook.md:1 says Ada Poole, deploys.md:1 says Tom Reed',
    ],
    [
      'a negation',
      'Do guests need a badge?',
      'Guests need a badge inside.',
      'Guests do not need a badge inside.',
      'runbook.md:1 does not, deploys.md:1 says "not"',
    ],
    [
      'the opposite',
      'Is logging on?',
      'Verbose logging is enabled here.',
      'Verbose logging is disabled here.',
      'runbook.md:1 says "enabled", deploys.md:1 says "disabled"',
    ],
    [
      'a setting',
      'Which region is used?',
      'region = eu-west-1',
      'region = us-east-1',
      'runbook.md:1 says eu-west-1, deploys.md:1 says us-east-1',
    ],
  ])('contradict each other in %s', (_, question, one, other, text) => {
    const [found] = find(question, one, other);
    expect(found).toMatchObject({
      text,
      sides: [
        { quote: one, passage: 'P1' },
        { quote: other, passage: 'P9' },
      ],
    });
  });

  it.each([
    [
      'say the same in other words',
      'The pool is limited to 40 connections.',
      'A limit of 40 connections holds for the pool.',
    ],
    ['write a number in another form', 'The mast stands 4 km from the pool.', 'The mast stands 4,000 m from the pool.'],
    ['speak of two times', 'In 2019 the pool held 40 connections.', 'In 2020 the pool held 60 connections.'],
    ['speak of two things', 'The read pool holds 40 connections.', 'The write pool holds 60 connections.'],
    ['add something', 'The pool is limited to 40 connections.', 'The pool is shared by 9 workers.'],
    [
      'are lines of a log',
      '2026-01-01 10:00 ERROR pool of 40 connections full',
      '2026-01-01 11:00 ERROR pool of 60 connections full',
    ],
  ])('that %s do not', (_, one, other) => {
    expect(find('How large is the pool?', one, other)).toEqual([]);
  });

  it('contradict each other only about the question', () => {
    const [one, other] = ['# Access\n\nOwner: security lead.\n', '# Access\n\nOwner: operations lead.\n'];
    expect(find('Who must approve access?', one, other)).toEqual([]);
    expect(find('Who is the owner of access?', one, other)).toMatchObject([
      { text: 'runbook.md:3 says security lead, deploys.md:3 says operations lead' },
    ]);
  });
});
