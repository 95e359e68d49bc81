/** What the answer's evidence comes to. */
import type { ErrorInfo } from '../errors.ts';
import type { Citation } from './passage.ts';

/** The critic's words about the answer. */
export interface Critique {
  /** 0–100, the critic's own number; not the confidence. */
  readonly score: number;
  readonly gaps: readonly string[];
  readonly uncertainties: readonly string[];
  readonly reasoning: string;
}

/**
 * supported: the passages bear it out. partial: a part of it. unsupported: they do not say it. contradicted: they say
 * otherwise. unchecked: it was not held against them.
 */
export type Verdict = 'supported' | 'partial' | 'unsupported' | 'contradicted' | 'unchecked';

/** A sentence, a list item or a row of the answer that can be true or false, held against the text. */
export interface Claim {
  /** Without its marks. */
  readonly text: string;
  /** Character range in the answer, in UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Numbers of the citations that it names, or that code has found for it. */
  readonly citations: readonly number[];
  /** How well the passages bear it out, 0–1; null when that was not checked. */
  readonly support: number | null;
  readonly verdict: Verdict;
  /** What is wrong, or why it was not checked; null when nothing is wrong. */
  readonly reason: string | null;
}

/** Why the claims of an answer were not checked at all. */
export const notChecked = { off: 'evidence.check is off', computed: 'code computed it' } as const;

const wereNotChecked: readonly string[] = Object.values(notChecked);

/** Whether code looked up what is exact in a claim and found some of it nowhere, and no model judged the claim. */
export const standsNowhere = ({ verdict, reason }: Pick<Claim, 'verdict' | 'reason'>): boolean =>
  verdict === 'unchecked' && reason !== null && !wereNotChecked.includes(reason);

/** One of two places that contradict each other. */
export interface ContradictionSide extends Pick<Citation, 'passage' | 'source' | 'startLine' | 'endLine'> {
  /** The sentence as it stands there. */
  readonly quote: string;
}

/** Two sentences of the text that answer the question differently. */
export interface Contradiction {
  /** `runbook.md:31 says 40, deploys.md:14 says 4`. */
  readonly text: string;
  readonly sides: readonly [ContradictionSide, ContradictionSide];
}

/**
 * What the number is: `evidence`, how far the cited passages bear the answer out; `match`, how likely a sentence that
 * was quoted for its words holds the answer.
 */
export type ConfidenceKind = 'evidence' | 'match';

/** The answer in the form that was asked for (`schema`). */
export interface Form {
  /** Conforms to the schema; null also where the answer could not be put into it. */
  readonly value: unknown;
  /** What fields rest on, by JSON pointer. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>>;
  /** Why the answer is not in the form, or null. */
  readonly error: ErrorInfo | null;
}
