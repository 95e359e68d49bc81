import type { Result } from '../result.ts';
import type { Verdict as CheckedVerdict, Claim } from '../state.ts';

/** How well the text supports a claim. `cited` and `uncited` are for sentences that were not checked. */
export type Verdict = CheckedVerdict | 'cited' | 'uncited';

/** A short explanation of each verdict. */
export const verdictAbout: Readonly<Record<Verdict, string>> = {
  supported: 'the cited text says so',
  partial: 'the cited text says a part of it',
  unsupported: 'no cited text says so',
  contradicted: 'the text says otherwise',
  unchecked: 'not checked',
  cited: 'cites the text',
  uncited: 'cites nothing',
};

/** A claim of the answer, or a sentence of an answer without checked claims. */
export type AnswerClaim = Omit<Claim, 'verdict'> & { readonly verdict: Verdict };

/** Matches the end of a sentence: its punctuation with the citations after it, or the end of a line. */
const sentenceEnd = /[.!?]["')\]]?(?:[ \t]?\[\d+\])*(?=\s|$)|\n/g;

/** Splits an answer into sentences, each `cited` or `uncited`. */
function sentencesOf(answer: string): AnswerClaim[] {
  const ends = [...answer.matchAll(sentenceEnd)].map(({ 0: end, index }) => index + end.length);
  return [...ends, answer.length].flatMap((end, nth): AnswerClaim[] => {
    const start = nth === 0 ? 0 : ends[nth - 1]!;
    const text = answer.slice(start, end);
    if (!/[\p{L}\p{N}]/u.test(text.replace(/\[\d+\]/g, ''))) return [];
    const citations = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    const verdict = citations.length > 0 ? 'cited' : 'uncited';
    const skipped = text.length - text.trimStart().length;
    return [{ text: text.trim(), start: start + skipped, end, citations, support: null, verdict, reason: null }];
  });
}

/** Returns the checked claims of a result. Empty for results of earlier versions, which have no claims. */
export const checkedClaims = ({ claims }: Partial<Pick<Result, 'claims'>>): readonly Claim[] => claims ?? [];

/** Returns the claims of an answer or, when there are none, its sentences as `cited` or `uncited`. */
export function claimsOf(result: Result): readonly AnswerClaim[] {
  const checked = checkedClaims(result);
  return checked.length > 0 || result.answer === null ? checked : sentencesOf(result.answer);
}

/** Returns one line for each contradiction in the text. Empty for results of earlier versions. */
export const contradictionsOf = ({ contradictions }: Partial<Pick<Result, 'contradictions'>>): string[] =>
  (contradictions ?? []).map(({ text, sides }) => [text, ...sides.map(({ quote }) => `“${quote}”`)].join(' · '));
