import type { Citation, Claim, Passage } from '../state.ts';
import { checkClaims } from './claims/check-claims.ts';
import { saysNotFound } from './claims/tells-nothing.ts';
import { computeConfidence } from './confidence.ts';
import { numberCitations } from './number-citations.ts';

/** Why an answer is doubted: there is none, it says that the text does not tell, or its evidence is too thin. */
export interface Doubt {
  readonly kind: 'unanswered' | 'not found' | 'unsupported';
  /** The doubt as a sentence. */
  readonly about: string;
}

/** An answer with a lower confidence is doubted; 0–100. */
const leastConfidence = 40;

/**
 * Whether its citations support each claim that can be checked. The text may then use other words than the question.
 */
function isBorneOut(claims: readonly Claim[]): boolean {
  const checked = claims.filter(({ support }) => support !== null);
  return (
    checked.length > 0 && checked.every(({ verdict, citations }) => verdict === 'supported' && citations.length > 0)
  );
}

/**
 * Returns the doubt about an answer, found by code alone; null when there is none.
 * @param answer with passage ids as marks; null where there is none.
 * @param read the passages that the answer was made from.
 */
export function doubtOf(
  question: string,
  { answer, citations: cited }: { readonly answer: string | null; readonly citations: readonly Citation[] },
  read: readonly Passage[],
): Doubt | null {
  if (answer === null) return { kind: 'unanswered', about: 'there is no answer' };
  if (saysNotFound(answer)) return { kind: 'not found', about: 'the answer says that the text does not tell' };
  const { answer: solution, citations } = numberCitations(answer, cited);
  const claims = checkClaims(question, solution, citations, read);
  if (isBorneOut(claims)) return null;
  const { confidence, reason } = computeConfidence(question, claims, read, citations);
  if (confidence !== null && confidence >= leastConfidence) return null;
  return { kind: 'unsupported', about: reason ?? `what was read bears the answer out by ${confidence} of 100` };
}
