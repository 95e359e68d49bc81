import { counted, duration, grouped, money } from '../base/text.ts';
import type { JournalContent } from '../journal/journal.ts';
import type { Trajectory } from '../journal/trajectory.ts';
import { confidenceName, modelLabel, nodesOf, outcomeName, type Result } from '../result.ts';
import type { Verdict as CheckedVerdict, Claim } from '../state.ts';

export { nearestOver, placeOf } from '../result.ts';

/** A call of a run without a trajectory, as recorded in its journal. */
export type JournalCall = Pick<JournalContent['calls'][number], 'place' | 'prompt' | 'text' | 'tokens'>;

export interface ReportedText {
  readonly documents: number;
  readonly bytes: number;
  readonly first: readonly { readonly name: string; readonly bytes: number }[];
}

export interface ReportRun {
  readonly result: Result;
  readonly at: string | null;
  readonly text: ReportedText | null;
  /** Null if it was not kept. */
  readonly trajectory: Trajectory | null;
  /** Used only when there is no trajectory. */
  readonly calls: readonly JournalCall[];
}

/** Returns a run that has just ended, for its report. The trajectory is null for a run that could not begin. */
export function endedRun(result: Result, trajectory: Trajectory | null): ReportRun {
  const started = trajectory?.events.find((event) => event.type === 'run.started');
  const text = started && { documents: started.documents, bytes: started.bytes, first: trajectory!.documents };
  return { result, at: started?.at ?? null, text: text ?? null, trajectory, calls: [] };
}

/** Joins the parts that are not empty: `3 calls · 1,200 tokens`. */
export const joined = (parts: readonly (string | null | false)[]): string => parts.filter(Boolean).join(' · ');

/** Returns the outcome as a heading: `Answered`, `Not found`. */
export const outcomeHeading = (result: Result): string => {
  const name = outcomeName(result);
  return name[0]!.toUpperCase() + name.slice(1);
};

/** Returns the confidence of a result, such as `confidence 86/100`. */
export const confidenceText = (result: Result): string =>
  `${confidenceName(result)} ${result.confidence === null ? 'unknown' : `${result.confidence}/100`}`;

function strategyText({ plan, recursionTree }: Result): string {
  if (recursionTree === null) return '';
  const { strategy: used } = recursionTree;
  const planned = plan?.approach ?? used;
  return used === planned ? used : `${planned} planned, ${used} used`;
}

/** Returns the figures of a run as short texts. */
export function figuresOf(result: Result): string[] {
  const { usage, recursionTree, citations } = result;
  const questions = recursionTree === null ? 0 : nodesOf(recursionTree).length;
  const tokens = usage.tokens.input + usage.tokens.output;
  const spent = [counted(usage.calls, 'call'), `${grouped(tokens)} tokens`];
  return [
    duration(usage.wallTimeMs),
    ...(questions > 1 ? [counted(questions, 'question')] : []),
    ...(tokens > 0 ? spent : []),
    ...(usage.cost === null ? ['cost unknown'] : usage.cost > 0 ? [money(usage.cost)] : []),
    counted(citations.length, 'citation'),
    strategyText(result),
    modelLabel(result),
  ].filter(Boolean);
}

/** How well the text supports a claim. `cited` and `uncited` are for sentences that were not checked. */
export type VerdictWords = CheckedVerdict | 'cited' | 'uncited';

export const verdictAbout: Readonly<Record<VerdictWords, string>> = {
  supported: 'the cited text says so',
  partial: 'the cited text says a part of it',
  unsupported: 'no cited text says so',
  contradicted: 'the text says otherwise',
  unchecked: 'not checked',
  cited: 'cites the text',
  uncited: 'cites nothing',
};

/** A claim of the answer, or a sentence of an answer without checked claims. */
export type AnswerClaim = Omit<Claim, 'verdict'> & { readonly verdict: VerdictWords };

/** Matches the end of a sentence: its punctuation with the citations after it, or the end of a line. */
const sentenceEnd = /[.!?]["')\]]?(?:[ \t]?\[\d+\])*(?=\s|$)|\n/g;

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

/** Returns the claims of an answer or, when there are none, its sentences as `cited` or `uncited`. */
export const claimsOf = ({ claims, answer }: Result): readonly AnswerClaim[] =>
  claims.length > 0 || answer === null ? claims : sentencesOf(answer);

export const contradictionsOf = ({ contradictions }: Result): string[] =>
  contradictions.map(({ text, sides }) => [text, ...sides.map(({ quote }) => `“${quote}”`)].join(' · '));
