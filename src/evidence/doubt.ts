import type { Citation, Claim, Passage } from '../state.ts';
import { checkClaims } from './claims/check-claims.ts';
import { saysNotFound } from './claims/tells-nothing.ts';
import { computeConfidence } from './confidence.ts';
import { numberCitations } from './number-citations.ts';

/**
 * Why an answer may not do: there is none, it says that the text does not tell, its own model says so when it is asked
 * that alone, or its evidence is too thin.
 */
export interface Doubt {
  readonly kind: 'unanswered' | 'not found' | 'denied' | 'unsupported';
  /** In a sentence. */
  readonly about: string;
}

/** An answer as code weighs it. */
export interface Weighed {
  /** Null: nothing is left open. */
  readonly doubt: Doubt | null;
  /**
   * Whether the passages hold much of the question, too: then nobody need be asked whether they hold the answer. What
   * is borne out may answer something else.
   */
  readonly isSettled: boolean;
}

/** Answers below are doubted; 0–100. */
const leastConfidence = 40;

const doubted = (doubt: Doubt): Weighed => ({ doubt, isSettled: false });

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
 * Weighs an answer by code alone.
 * @param answer with passage ids as marks; null where there is none.
 * @param read what it was made from.
 */
export function weighAnswer(
  question: string,
  { answer, citations: cited }: { readonly answer: string | null; readonly citations: readonly Citation[] },
  read: readonly Passage[],
): Weighed {
  if (answer === null) return doubted({ kind: 'unanswered', about: 'there is no answer' });
  if (saysNotFound(answer)) return doubted({ kind: 'not found', about: 'the answer says that the text does not tell' });
  const { answer: solution, citations } = numberCitations(answer, cited);
  const claims = checkClaims(question, solution, citations, read);
  const { confidence, reason } = computeConfidence(question, claims, read, citations);
  const isSettled = confidence !== null && confidence >= leastConfidence;
  if (isSettled || isBorneOut(claims)) return { doubt: null, isSettled };
  return doubted({
    kind: 'unsupported',
    about: reason ?? `what was read bears the answer out by ${confidence} of 100`,
  });
}
