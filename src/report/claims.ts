import type { Result } from '../result.ts';

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

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function rangeOf(range: unknown, answer: string, text: string): AnswerClaim['range'] {
  const [start, end] = Array.isArray(range) ? range : isObject(range) ? [range['start'], range['end']] : [];
  const isInside = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end;
  if (isInside && end <= answer.length) return [start, end];
  const found = text === '' ? -1 : answer.indexOf(text);
  return found < 0 ? null : [found, found + text.length];
}

const numberOf = (citation: unknown): number => Number(isObject(citation) ? citation['number'] : citation);

function claimOf(claim: Loose, answer: string): AnswerClaim {
  const text = textOf(claim['text']);
  const verdict = textOf(claim['verdict']);
  return {
    text,
    range: rangeOf(claim['range'], answer, text),
    citations: listOf(claim['citations']).map(numberOf).filter(Number.isInteger),
    support: typeof claim['support'] === 'number' ? claim['support'] : null,
    verdict: verdict in verdictAbout ? (verdict as Verdict) : 'unchecked',
    reason: textOf(claim['reason']),
  };
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
export function checkedClaims(result: Result): AnswerClaim[] {
  const claims = listOf((result as unknown as Loose)['claims']);
  return claims.filter(isObject).map((claim) => claimOf(claim, result.answer ?? ''));
}

/** The parts of an answer by how they are borne out: its claims, or its sentences by whether they cite. */
export function claimsOf(result: Result): AnswerClaim[] {
  const checked = checkedClaims(result);
  return checked.length > 0 || result.answer === null ? checked : sentencesOf(result.answer);
}

const contradictionText = (one: unknown): string => {
  if (!isObject(one)) return textOf(one);
  const parts = Object.values(one).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const texts = parts.map((part) => textOf(isObject(part) ? (part['text'] ?? part['statement']) : part));
  return texts.filter(Boolean).join(' · ');
};

/** What of the text or of the answers contradicts each other, a line for each. */
export const contradictionsOf = (result: Result): string[] =>
  listOf((result as unknown as Loose)['contradictions'])
    .map(contradictionText)
    .filter(Boolean);
