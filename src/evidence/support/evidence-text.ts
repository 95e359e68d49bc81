import { readSentences, type Sentence } from '../../context/sentences/sentences.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Passage } from '../../state.ts';

/** A sentence of the evidence with its content terms, the headings above it not included. */
export interface EvidenceSentence extends Sentence {
  readonly terms: readonly string[];
  readonly has: ReadonlySet<string>;
}

/** Passages read into sentences, once for all claims that are held against them. */
export interface EvidenceText {
  readonly sentences: readonly EvidenceSentence[];
  /** How much a term tells: more the fewer sentences have it. */
  rarity(term: string): number;
}

const fewest = 20;

/** Reads passages into sentences and counts their terms. */
export function readEvidence(passages: readonly Passage[]): EvidenceText {
  const sentences = readSentences(passages).map((sentence) => {
    const terms = contentTerms(sentence.text);
    return { ...sentence, terms, has: new Set(terms) };
  });
  const having = new Map<string, number>();
  for (const { has } of sentences) for (const term of has) having.set(term, (having.get(term) ?? 0) + 1);
  const all = Math.max(sentences.length, fewest);
  const rarity = (term: string) => {
    const count = having.get(term) ?? 0;
    return Math.log(1 + (all - count + 0.5) / (count + 0.5));
  };
  return { sentences, rarity };
}

/** The share of terms that are found, by their rarity, 0–1; 0 when there are none. */
export function coverage(terms: Iterable<string>, has: (term: string) => boolean, { rarity }: EvidenceText): number {
  let [found, all] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    if (has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}
