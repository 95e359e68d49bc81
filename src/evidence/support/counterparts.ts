import { contentTerms } from '../../context/words/terms.ts';
import { bestRun, coverage, type EvidenceSentence, type EvidenceText } from './evidence-text.ts';

/** A claim prepared for the rules, with the sentences to compare it with. */
export interface ReadClaim {
  readonly text: string;
  readonly inOrder: readonly string[];
  readonly terms: ReadonlySet<string>;
  /** The sentences that have most of the claim's terms, in the order of the text. */
  readonly near: readonly EvidenceSentence[];
  /** The sentence that has most of them. */
  readonly nearest: EvidenceSentence | null;
}

const runLength = 4;
const besides = 3;

/** Reads a claim and finds the sentences to compare it with: the best run of four, and the three best of all. */
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
