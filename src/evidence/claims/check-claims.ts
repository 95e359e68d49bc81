import type { Citation, Claim, Passage } from '../../state.ts';
import { placesOfNumbers } from '../marks.ts';
import { findLoosely, findQuote } from '../quote.ts';
import { createValueSources } from '../values.ts';
import { type ClaimText, onlyYesOrNo, splitClaims } from './split-claims.ts';

const toClaim = ({ text, start, end, ids }: ClaimText) => ({ text, start, end, citations: ids.map(Number) });

/** Returns the claims of an answer as unchecked. */
export const uncheckedClaims = (answer: string, citations: readonly Citation[], reason: string): Claim[] =>
  splitClaims(answer, placesOfNumbers(answer, citations.length)).map((claim) => {
    return { ...toClaim(claim), support: null, verdict: 'unchecked', reason };
  });

const holdsClaim = (claim: string, text: string): boolean =>
  !onlyYesOrNo.test(claim) && (findQuote(text, claim) ?? findLoosely(text, claim)) !== null;

/**
 * Splits an answer into claims. A claim is supported if one of its citations contains it word for word. Otherwise, the
 * claim stays unchecked. Its reason names up to five numbers, identifiers and quotations of the claim that neither the
 * passages nor the question contain.
 * @param answer with citation numbers as marks.
 * @param passages the cited passages, computed values included.
 */
export function checkClaims(
  question: string,
  answer: string,
  citations: readonly Citation[],
  passages: readonly Passage[],
): Claim[] {
  const sources = createValueSources([
    ...passages.flatMap(({ text, source, under = [] }) => [text, source, ...under]),
    question,
  ]);
  return splitClaims(answer, placesOfNumbers(answer, citations.length)).map((claim): Claim => {
    const own = citations.filter(({ number }) => claim.ids.includes(String(number)));
    const texts = own.flatMap(({ quote, passage }) => quote ?? passages.find(({ id }) => id === passage)?.text ?? []);
    if (texts.some((text) => holdsClaim(claim.text, text)))
      return { ...toClaim(claim), support: 1, verdict: 'supported', reason: null };
    const missing = sources.missing(claim.text);
    const reason = missing.length === 0 ? null : `not in the cited text: ${missing.slice(0, 5).join(', ')}`;
    return { ...toClaim(claim), support: null, verdict: 'unchecked', reason };
  });
}
