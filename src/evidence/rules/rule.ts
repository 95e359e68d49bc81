import type { ReadClaim } from '../support/counterparts.ts';
import type { EvidenceText } from '../support/evidence-text.ts';

/** What is wrong with a claim. */
export interface Fault {
  /** contradicted: the evidence says otherwise. unsupported: it does not say it. partial: it says less. */
  readonly verdict: 'contradicted' | 'unsupported' | 'partial';
  /** A clause for people: `the passage says 40, the answer 34`. */
  readonly reason: string;
}

/** Compares one aspect of a claim that shares of words cannot show; null where it finds no fault. */
export type Rule = (claim: ReadClaim, evidence: EvidenceText) => Fault | null;
