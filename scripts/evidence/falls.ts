/** How often the verdict or the support of a claim falls when the claim, or what it cites, is changed. */
import { contentTerms } from '../../src/context/words/terms.ts';
import { type EvidenceText, readEvidence } from '../../src/evidence/support/evidence-text.ts';
import { judge } from '../../src/evidence/support/judge.ts';
import type { Verdict } from '../../src/state.ts';
import { changes } from './changes.ts';
import type { SupportedClaim } from './claims.ts';

/** A way to judge claims: support, 0–1, and a rank of the verdict. */
type Measure = (claim: string, evidence: EvidenceText) => { readonly support: number; readonly rank: number };

const ranks: Readonly<Record<Verdict, number>> = {
  contradicted: 0,
  unsupported: 1,
  partial: 2,
  supported: 3,
  unchecked: 3,
};

const ours: Measure = (claim, evidence) => {
  const { support, verdict } = judge(claim, evidence);
  return { support, rank: ranks[verdict] };
};

/** The share of the claim's words that the passages contain: the former basis of the confidence. */
const shareOfWords: Measure = (claim, { having }) => {
  const terms = [...new Set(contentTerms(claim))];
  const support = terms.filter((term) => having(term).length > 0).length / Math.max(1, terms.length);
  return { support, rank: 0 };
};

export const measures = { ours, 'share of words': shareOfWords } as const satisfies Record<string, Measure>;

const clearly = 0.2;

/** The share of claims that fall when they are changed in each way, with their number. */
export function fallsOf(
  claims: readonly SupportedClaim[],
  measure: Measure,
): Map<string, [share: number, count: number]> {
  const evidence = claims.map(({ passages }) => readEvidence(passages));
  const base = claims.map(({ text }, place) => measure(text, evidence[place]!));
  const fell = (place: number, claim: string, against: EvidenceText) => {
    const [before, after] = [base[place]!, measure(claim, against)];
    return before.support - after.support >= clearly || after.rank < before.rank;
  };
  const share = (all: readonly boolean[]): [number, number] => [all.filter(Boolean).length / all.length, all.length];
  const ofChanges = Object.entries(changes).map(([name, change]) => {
    const made = claims.flatMap(({ text }, place) => {
      const changed = change(text);
      return changed === null ? [] : [fell(place, changed, evidence[place]!)];
    });
    return [name, share(made)] as const;
  });
  const other = (place: number) => evidence[(place + Math.ceil(claims.length / 2)) % claims.length]!;
  return new Map([
    ...ofChanges,
    ['wrong passage', share(claims.map(({ text }, place) => fell(place, text, other(place))))],
    ['nothing read', share(claims.map(({ text }, place) => fell(place, text, readEvidence([]))))],
  ]);
}

/** The share of true claims in which a rule reports an error. */
export function flagged(claims: readonly SupportedClaim[]): number {
  const found = claims.filter(({ text, passages }) => judge(text, readEvidence(passages)).isFault);
  return found.length / claims.length;
}
