import { describe, expect, it } from 'vitest';
import { splitClaims } from '../../../src/evidence/claims/split-claims.ts';
import { placesOfMarks } from '../../../src/evidence/marks.ts';

const claims = (answer: string) => splitClaims(answer, placesOfMarks(answer));
const texts = (answer: string) => claims(answer).map(({ text, ids }) => [text, ids.join(' ')].join('|'));

describe('the claims of an answer', () => {
  it('are its sentences, with the marks that follow them', () => {
    expect(texts('The pool has 20 slots. [P1] It ran full [P2, P3]. Roe v. Wade stands.')).toEqual([
      'The pool has 20 slots.|P1',
      'It ran full.|P2 P3',
      'Roe v. Wade stands.|',
    ]);
  });

  it('are list items, rows and log lines, and neither headings, questions nor lead-ins', () => {
    const answer = [
      '# Limits',
      'What is the limit?',
      'The steps are:',
      '- Open the valve. [P4]',
      '2. Close the valve.',
      '| name | size |',
      '| --- | --- |',
      '| pool | 20 [P5] |',
      '2026-11-01 12:00 ERROR pool is full. Retrying. [P6]',
      '**Result**',
      'Not found: no sentence in the text matches "x" well enough.',
    ].join('\n');
    expect(texts(answer)).toEqual([
      'Open the valve.|P4',
      'Close the valve.|',
      '| pool | 20 ||P5',
      '2026-11-01 12:00 ERROR pool is full. Retrying.|P6',
    ]);
  });

  it('end at a mark at the end of a line, because quoted lines may have no full stop', () => {
    const answer = 'deposit is 5 [P1]\nthe rent is 9 [P2]\nNot shown: at least 9 further lines that match as well.';
    expect(texts(answer)).toEqual(['deposit is 5|P1', 'the rent is 9|P2']);
  });

  it('are not divided inside a quotation, and have no space in place of a mark', () => {
    expect(texts('Ada says: "It ran full. Nobody saw it." [P1] It was empty.')).toEqual([
      'Ada says: "It ran full. Nobody saw it."|P1',
      'It was empty.|',
    ]);
    expect(texts('«Plein. Tout plein.» [P1] Vide ensuite.')).toHaveLength(2);
    expect(texts('The 5" pipe leaks. It is old.')).toHaveLength(2);
    expect(texts('It calls `a` [P1] or `b` [P2], so it ends. [P3]')).toEqual([
      'It calls `a` or `b`, so it ends.|P1 P2 P3',
    ]);
  });

  it('include a mark at the beginning of their line', () => {
    expect(texts('The pool ran full.\n[P1] The queue was empty.')).toEqual([
      'The pool ran full.|',
      'The queue was empty.|P1',
    ]);
  });

  it('are at the stated places of the answer', () => {
    const answer = '- The pool [P1] has 20 slots.\n- Yes.';
    expect(claims(answer).map(({ start, end }) => answer.slice(start, end))).toEqual([
      'The pool [P1] has 20 slots.',
      'Yes.',
    ]);
  });

  it('take linear time when a model repeats the space', () => {
    const [only] = claims(`The pool ${' '.repeat(60_000)}has 20${' '.repeat(60_000)}.`);
    expect(only!.text).toBe('The pool has 20.');
  });

  it('take linear time when a model repeats a mark', () => {
    expect(claims(`${'[P1] '.repeat(20_000)}The pool has 20 slots.`)[0]!.text).toBe('The pool has 20 slots.');
  });

  it.each(['“', '„', '«'])('take linear time when a model repeats %s', (sign) => {
    expect(claims(`The pool has 20 slots. ${sign.repeat(100_000)}`)[0]!.text).toBe('The pool has 20 slots.');
  });
});
