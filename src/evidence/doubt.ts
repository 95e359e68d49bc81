import type { Citation, Claim, Passage } from '../state.ts';
import { checkClaims } from './claims/check-claims.ts';
import { saysNotFound } from './claims/tells-nothing.ts';
import { computeConfidence } from './confidence.ts';
import { numberCitations } from './number-citations.ts';

/** Why an answer may not do: there is none, it says that the text does not tell, or its evidence is too thin. */
export interface Doubt {
  readonly kind: 'unanswered' | 'not found' | 'unsupported';
  /** In a sentence. */
  readonly about: string;
}

/** Answers below are doubted; 0–100. */
const leastConfidence = 40;

/**
 * Whether each claim that can be checked is borne out by what it cites: then it does not matter that the text has other
 * words than the question.
 */
function isBorneOut(claims: readonly Claim[]): boolean {
  const checked = claims.filter(({ support }) => support !== null);
  return (
    checked.length > 0 && checked.every(({ verdict, citations }) => verdict === 'supported' && citations.length > 0)
  );
}

/**
 * What an answer leaves open, by code alone; null: nothing.
 * @param answer with passage ids as marks; null where there is none.
 * @param read what it was made from.
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
