import type { Result } from '../result.ts';
import type { Verdict as CheckedVerdict, Claim } from '../state.ts';

/** How well the text bears a claim out; `cited` and `uncited` where nothing has checked that. */
export type Verdict = CheckedVerdict | 'cited' | 'uncited';

/** What a verdict means, for people. */
export const verdictAbout: Readonly<Record<Verdict, string>> = {
  supported: 'the cited text says so',
  partial: 'the cited text says a part of it',
  unsupported: 'no cited text says so',
  contradicted: 'the text says otherwise',
  unchecked: 'not checked',
  cited: 'cites the text',
  uncited: 'cites nothing',
};

/** A part of the answer, with how it is borne out. */
export type AnswerClaim = Omit<Claim, 'verdict'> & { readonly verdict: Verdict };

/** Where a sentence ends: at its mark with the citations behind it, or at the end of a line. */
const sentenceEnd = /[.!?]["')\]]?(?:[ \t]?\[\d+\])*(?=\s|$)|\n/g;

/** Sentences by whether they cite. */
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

/** The claims of a result that was checked, or none: results of earlier versions have none. */
export const checkedClaims = ({ claims }: Partial<Pick<Result, 'claims'>>): readonly Claim[] => claims ?? [];

/** The parts of an answer by how they are borne out: its claims, or its sentences by whether they cite. */
export function claimsOf(result: Result): readonly AnswerClaim[] {
  const checked = checkedClaims(result);
  return checked.length > 0 || result.answer === null ? checked : sentencesOf(result.answer);
}

/** What of the text contradicts each other, a line for each; results of earlier versions say nothing of it. */
export const contradictionsOf = ({ contradictions }: Partial<Pick<Result, 'contradictions'>>): string[] =>
  (contradictions ?? []).map(({ text, sides }) => [text, ...sides.map(({ quote }) => `“${quote}”`)].join(' · '));
