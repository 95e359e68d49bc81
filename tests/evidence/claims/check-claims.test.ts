import { describe, expect, it } from 'vitest';
import { checkCitations } from '../../../src/evidence/citations.ts';
import { checkClaims, uncheckedClaims } from '../../../src/evidence/claims/check-claims.ts';
import { numberCitations } from '../../../src/evidence/number-citations.ts';
import { hasUnfoundValues } from '../../../src/state.ts';
import { passagesOf } from '../../support/passages.ts';

const passages = passagesOf('The pool was limited to 20 by release 4.2.\n\nHank Snow came from Nova Scotia.\n', 45);

function check(answer: string, question = 'Why?') {
  const checked = checkCitations(answer, [], passages);
  const { answer: numbered, citations } = numberCitations(checked.answer, checked.citations);
  return checkClaims(question, numbered, citations, passages);
}

describe('the claims of an answer', () => {
  it('are supported if a cited passage contains them word for word', () => {
    expect(check('The pool was limited to 20 by release 4.2 [P1].')).toMatchObject([
      { verdict: 'supported', support: 1, reason: null, citations: [1] },
    ]);
  });

  it.each([
    ['a denial', 'No pool was ever limited by a release [P1].', 'Why?'],
    ['swapped names', 'Nova Scotia came from Hank Snow [P2].', 'Why?'],
    ['other words', 'The release brought a bound for connections [P1].', 'Why?'],
    ['a number of another passage that the answer cites', 'Hank Snow was limited to 20 [P2]. So it was [P1].', 'Why?'],
    ['a number of the question', 'It was 57 [P1].', 'Was it 57?'],
  ])('are not judged by code: %s', (_, answer, question) => {
    for (const claim of check(answer, question)) {
      expect(claim).toMatchObject({ verdict: 'unchecked', support: null, reason: null });
      expect(hasUnfoundValues(claim)).toBe(false);
    }
  });

  it('are unchecked, with the missing values, if a value does not occur in the cited text', () => {
    const [claim] = check('The poolMax was 35, "as they always said" [P1].');
    expect(claim).toMatchObject({ verdict: 'unchecked', support: null });
    expect(claim!.reason).toBe('not in the cited text: "as they always said", poolMax, 35');
    expect(hasUnfoundValues(claim!)).toBe(true);
  });

  it('get no value from a passage that the answer does not cite', () => {
    const { citations, answer } = checkCitations('It was 20 [P2].', [], passages);
    const cited = passages.filter(({ id }) => id === 'P2');
    const numbered = numberCitations(answer, citations);
    expect(checkClaims('Why?', numbered.answer, numbered.citations, cited)[0]!.reason).toContain('20');
  });

  it('may be left unchecked, with a reason', () => {
    expect(uncheckedClaims('The pool was small.', [], 'off')).toMatchObject([{ verdict: 'unchecked', reason: 'off' }]);
  });
});
