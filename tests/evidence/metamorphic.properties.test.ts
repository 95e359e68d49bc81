import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../src/evidence/citations.ts';
import { checkClaims } from '../../src/evidence/claims/check-claims.ts';
import { citeClaims } from '../../src/evidence/claims/cite-claims.ts';
import { computeConfidence, holdDown } from '../../src/evidence/confidence.ts';
import { findContradictions } from '../../src/evidence/contradictions/find-contradictions.ts';
import { numberCitations } from '../../src/evidence/number-citations.ts';
import type { Passage } from '../../src/state.ts';
import { passagesOf } from '../support/passages.ts';

/** A sentence for each passage: what is true, and what is not. */
const told: readonly (readonly [text: string, retold: string, wrong: string])[] = [
  [
    'The connection pool of the importer is limited to 20 connections.',
    'The pool of the importer is limited to 20 connections.',
    'The pool of the importer is limited to 34 connections.',
  ],
  [
    'On 5 May 2024 the importer opened connections until the pool ran full.',
    'The importer opened connections on 5 May 2024 until the pool ran full.',
    'The importer opened connections on 5 June 2024 until the pool ran full.',
  ],
  [
    'Ada Poole drained the queue before Tom Reed restarted the workers.',
    'Ada Poole drained the queue.',
    'Tom Reed drained the queue before Ada Poole restarted the workers.',
  ],
  [
    'Backups of the pool table are kept for 30 days in Dublin.',
    'Backups are kept for 30 days in Dublin.',
    'Backups are not kept for 30 days in Dublin.',
  ],
  [
    'Most workers of the importer were patched in release 4.2.',
    'Most workers were patched in release 4.2.',
    'All harbour masters signed the treaty of Westphalia.',
  ],
];
const passages = passagesOf(told.map(([text]) => text).join('\n'), 70).slice(0, told.length);
const question = 'Why did the pool of the importer run full, and who drained the queue?';

function confidenceOf(answer: string, read: readonly Passage[]): number {
  const cited = citeClaims(checkCitations(answer, [], read), question, read);
  const { answer: solution, citations } = numberCitations(cited.answer, cited.citations);
  const claims = checkClaims(question, solution, citations, read);
  const found = computeConfidence(question, claims, read, citations);
  return holdDown(found, findContradictions(question, read), citations).confidence ?? -1;
}

const sentence = fc.record({ about: fc.nat(told.length - 1), isRetold: fc.boolean() });
const answers = fc.uniqueArray(sentence, { minLength: 1, maxLength: 4, selector: ({ about }) => about });
type Said = { readonly about: number; readonly isRetold: boolean };

const written = (said: readonly Said[], unmarked: number | null = null): string =>
  said
    .map(({ about, isRetold }, place) => {
      const mark = place === unmarked ? '' : ` [${passages[about]!.id}]`;
      return `${told[about]![isRetold ? 1 : 0]}${mark}`;
    })
    .join('\n');

const runs = { numRuns: 80 };

describe('the confidence in a true answer is never raised', () => {
  it('by a wrong sentence, marked or not', () => {
    fc.assert(
      fc.property(
        answers,
        fc.nat(told.length - 1),
        fc.nat(told.length - 1),
        fc.boolean(),
        (said, wrong, mark, isMarked) => {
          const added = `${told[wrong]![2]}${isMarked ? ` [${passages[mark]!.id}]` : ''}`;
          expect(confidenceOf(`${written(said)}\n${added}`, passages)).toBeLessThanOrEqual(
            confidenceOf(written(said), passages),
          );
        },
      ),
      runs,
    );
  });

  it('by a mark that is left out', () => {
    fc.assert(
      fc.property(answers, fc.nat(3), (said, place) => {
        const without = written(said, place % said.length);
        expect(confidenceOf(without, passages)).toBeLessThanOrEqual(confidenceOf(written(said), passages));
      }),
      runs,
    );
  });

  it('by a passage that is taken away from under it', () => {
    fc.assert(
      fc.property(answers, fc.nat(3), (said, place) => {
        const gone = passages[said[place % said.length]!.about]!;
        const rest = passages.filter((one) => one !== gone);
        expect(confidenceOf(written(said), rest)).toBeLessThanOrEqual(confidenceOf(written(said), passages));
      }),
      runs,
    );
  });
});
