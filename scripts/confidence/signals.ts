/** The signals from which the confidence of an answer is computed, without its words. */
import type { Signals } from '../../src/evidence/confidence.ts';
import type { Result } from '../../src/result.ts';
import type { Claim } from '../../src/state.ts';

/** A claim without its words. */
type BareClaim = Pick<Claim, 'verdict' | 'support' | 'citations'> & { readonly hasReason: boolean };

export interface StoredSignals extends Omit<Signals, 'claims' | 'citations' | 'isSmall'> {
  readonly claims: readonly BareClaim[];
  /** Number of citations. */
  readonly citations: number;
}

/** Returns the signals of a result, in a form that is small enough to store. */
export function signalsIn(result: Result): StoredSignals {
  const { tells, claims, citations, critique, recursionTree, ladder } = result;
  return {
    tells,
    claims: claims.map(({ verdict, support, citations: cited, reason }) => ({
      verdict,
      support,
      citations: cited,
      hasReason: reason !== null,
    })),
    citations: citations.length,
    score: critique?.score ?? null,
    answerable: ladder.find(({ isKept }) => isKept)?.answerable ?? null,
    isStepped: recursionTree?.strategy === 'explore' || recursionTree?.strategy === 'repl',
  };
}
