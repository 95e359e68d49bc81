/** The results of checking an answer against its evidence. */
import type { ErrorInfo } from '../errors.ts';
import type { Citation } from './passage.ts';

/** The critic's words about the answer. */
export interface Critique {
  /** The critic's own score, 0–100. It is not the confidence. */
  readonly score: number;
  readonly gaps: readonly string[];
  readonly uncertainties: readonly string[];
  readonly reasoning: string;
}

/**
 * supported: the passages confirm the claim. partial: they confirm a part of it. unsupported: they do not state it.
 * contradicted: they state the opposite. unchecked: it was not compared with them.
 */
export type Verdict = 'supported' | 'partial' | 'unsupported' | 'contradicted' | 'unchecked';

/**
 * A sentence, a list item or a row of the answer that can be true or false, with a verdict on its support in the text.
 */
export interface Claim {
  /** The statement without citation marks. */
  readonly text: string;
  /** Character range in the answer, in UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Numbers of the citations that the claim names, or that code found for it. */
  readonly citations: readonly number[];
  /** How well the passages confirm the claim, 0–1; null if it was not checked. */
  readonly support: number | null;
  readonly verdict: Verdict;
  /** Why the claim is not supported or was not checked; null if no fault was found. */
  readonly reason: string | null;
}

/** Why the claims of an answer were not checked at all. */
export const notChecked = { off: 'evidence.check is off', computed: 'code computed it' } as const;

const wereNotChecked: readonly string[] = Object.values(notChecked);

/** Whether the text lacks a value of a claim (number, identifier, quote), and no model judged the claim. */
export const hasUnfoundValues = ({ verdict, reason }: Pick<Claim, 'verdict' | 'reason'>): boolean =>
  verdict === 'unchecked' && reason !== null && !wereNotChecked.includes(reason);

/** One of two places that contradict each other. */
export interface ContradictionSide extends Pick<Citation, 'passage' | 'source' | 'startLine' | 'endLine'> {
  /** The sentence at that place, verbatim. */
  readonly quote: string;
}

/** Two sentences of the text that answer the question differently. */
export interface Contradiction {
  /** Both places and values, as in `runbook.md:31 says 40, deploys.md:14 says 4`. */
  readonly text: string;
  readonly sides: readonly [ContradictionSide, ContradictionSide];
}

/**
 * What the confidence measures. `evidence`: how far the cited passages confirm the answer. `match`: the probability
 * that a sentence, quoted because it has the question's words, contains the answer.
 */
export type ConfidenceKind = 'evidence' | 'match';

/** The answer as a value of the JSON schema in the setting `schema`. */
export interface Form {
  /** Conforms to the schema; null if the answer could not be converted. */
  readonly value: unknown;
  /** The citations of each field, by JSON pointer. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>>;
  /** Why the answer could not be converted; null if it was converted. */
  readonly error: ErrorInfo | null;
}
