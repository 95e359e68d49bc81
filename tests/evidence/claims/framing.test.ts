import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citeClaims } from '../../../src/evidence/claims/cite-claims.ts';
import { withoutFraming } from '../../../src/evidence/claims/framing.ts';
import type { Passage } from '../../../src/state.ts';

const question = 'How many days of leave are there after ten years, if nobody objects?';

describe('the framing of a claim', () => {
  it.each([
    ['According to the passage, there are 31 days.', 'there are 31 days.'],
    ['Based on the provided text, there are 31 days.', 'there are 31 days.'],
    ['The document states that there are 31 days.', 'there are 31 days.'],
    ['If nobody objects, there are 31 days.', 'there are 31 days.'],
    ['According to the text, if nobody objects, there are 31 days.', 'there are 31 days.'],
    ['If the manager objects, there are 31 days.', 'If the manager objects, there are 31 days.'],
    ['According to the manager, there are 31 days.', 'According to the manager, there are 31 days.'],
    ['There are 31 days.', 'There are 31 days.'],
  ])('%s', (claim, said) => {
    expect(withoutFraming(claim, question)).toBe(said);
  });

  it('is only ever left out at the beginning', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (claim, asked) => claim.endsWith(withoutFraming(claim, asked))),
      { numRuns: 200 },
    );
  });

  it('keeps no claim from its citation', () => {
    const text =
      'The allowance is 25 days.\nAfter five full years of service the allowance is 29 days, after ten years 31.\n';
    const passage = {
      id: 'P1',
      source: 'leave.md',
      startByte: 0,
      endByte: text.length,
      startLine: 1,
      endLine: 2,
      text,
    };
    const answer = 'According to the passage, someone has 31 days of allowance after ten full years of service.';
    const cited = citeClaims({ answer, citations: [] } as never, question, [passage as unknown as Passage]);
    expect(cited.citations).toMatchObject([{ startLine: 2, origin: 'code' }]);
  });
});
