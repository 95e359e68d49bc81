import type { Citation, Claim, Passage } from '../state.ts';
import { checkClaims } from './claims/check-claims.ts';
import { saysNotFound } from './claims/tells-nothing.ts';
import { computeConfidence } from './confidence.ts';
import { numberCitations } from './number-citations.ts';

/**
 * Why an answer is doubted: there is none, it says that the text does not tell, its own model says so when asked only
 * that, or its evidence is too thin.
 */
export interface Doubt {
  readonly kind: 'unanswered' | 'not found' | 'denied' | 'unsupported';
  /** The doubt as a sentence. */
  readonly about: string;
}

/** An answer as code weighs it. */
export interface Weighed {
  /** Null when nothing is left open. */
  readonly doubt: Doubt | null;
  /**
   * Whether the passages also hold much of the question, so that no model need be asked whether they hold the answer.
   * Supported claims may answer something else.
   */
  readonly isSettled: boolean;
}

/** An answer with a lower confidence is doubted; 0–100. */
const leastConfidence = 40;

const doubted = (doubt: Doubt): Weighed => ({ doubt, isSettled: false });

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
 * Weighs an answer by code alone.
 * @param answer with passage ids as marks; null where there is none.
 * @param read the passages that the answer was made from.
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
