import type { Result } from '../result.ts';
import type { Claim } from '../state.ts';

/** How well the text bears a claim out; `cited` and `uncited` where nothing has checked that. */
export type Verdict = 'supported' | 'partial' | 'unsupported' | 'contradicted' | 'unchecked' | 'cited' | 'uncited';

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

/** A part of the answer that can be true or false. */
export interface AnswerClaim {
  readonly text: string;
  /** Where it stands in the answer, in UTF-16 units, the end exclusive; null where that is not known. */
  readonly range: readonly [start: number, end: number] | null;
  /** Numbers of citations. */
  readonly citations: readonly number[];
  /** 0–1; null where it is not known. */
  readonly support: number | null;
  readonly verdict: Verdict;
  readonly reason: string;
}

function claimOf({ start, end, reason, ...claim }: Claim): AnswerClaim {
  return { ...claim, range: [start, end], reason: reason ?? '' };
}

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
    return [{ text: text.trim(), range: [start + skipped, end], citations, support: null, verdict, reason: '' }];
  });
}

/** The claims of a result that was checked, or none: results of earlier versions have none. */
export const checkedClaims = ({ claims }: Partial<Pick<Result, 'claims'>>): AnswerClaim[] =>
  (claims ?? []).map(claimOf);

/** The parts of an answer by how they are borne out: its claims, or its sentences by whether they cite. */
export function claimsOf(result: Result): AnswerClaim[] {
  const checked = checkedClaims(result);
  return checked.length > 0 || result.answer === null ? checked : sentencesOf(result.answer);
}

/** What of the text contradicts itself, a line for each. */
export const contradictionsOf = ({ contradictions }: Partial<Pick<Result, 'contradictions'>>): string[] =>
  (contradictions ?? []).map(({ text }) => text);
