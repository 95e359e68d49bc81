import { contentTerms } from '../../context/words/terms.ts';
import { bestRun, coverage, type EvidenceSentence, type EvidenceText } from './evidence-text.ts';

/** A claim read once for the rules, with the sentences that speak of the same. */
export interface ReadClaim {
  readonly text: string;
  readonly inOrder: readonly string[];
  readonly terms: ReadonlySet<string>;
  /** The sentences that have most of the claim's terms, in the order of the text. */
  readonly near: readonly EvidenceSentence[];
  /** The one of them that has most. */
  readonly nearest: EvidenceSentence | null;
}

const runLength = 4;
const besides = 3;

/** Reads a claim, and finds the sentences that it can be compared with: a run of four, and the three best elsewhere. */
export function readClaim(text: string, evidence: EvidenceText): ReadClaim {
  const inOrder = contentTerms(text);
  const terms = new Set(inOrder);
  const share = ({ has }: EvidenceSentence) => coverage(terms, (term) => has.has(term), evidence);
  const rated = evidence.sentences
    .map((sentence) => ({ sentence, share: share(sentence) }))
    .filter((one) => one.share > 0);
  const best = rated
    .sort((one, other) => other.share - one.share)
    .slice(0, besides)
    .map(({ sentence }) => sentence);
  const chosen = new Set([...bestRun(terms, runLength, evidence).sentences, ...best]);
  const near = evidence.sentences.filter((sentence) => chosen.has(sentence));
  return { text, inOrder, terms, near, nearest: best[0] ?? null };
}
