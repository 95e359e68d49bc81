import { createMemo } from '../../base/memo.ts';
import { readSentences, type Sentence } from '../../context/sentences/sentences.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Passage } from '../../state.ts';
import { type Quantity, readQuantities } from './numbers.ts';

/** A sentence of the evidence with its content terms. */
export interface EvidenceSentence extends Sentence {
  readonly terms: readonly string[];
  readonly has: ReadonlySet<string>;
  /** Terms of its headings, the name of its source and the first sentences of its document. */
  readonly frame: ReadonlySet<string>;
  /** Its numbers, read on first use. */
  readonly quantities: readonly Quantity[];
}

/** Passages read into sentences, once for all claims that are held against them. */
export interface EvidenceText {
  readonly sentences: readonly EvidenceSentence[];
  /** The numbers of the sentences that have a term, in order. */
  having(term: string): readonly number[];
  /** The weight of a term: the fewer sentences have it, the higher. */
  rarity(term: string): number;
}

const fewest = 20;
const opening = 3;

/** Creates a reader of the terms around sentences; reads each text once. */
function createFrames(sentences: readonly Sentence[]): (sentence: Sentence) => ReadonlySet<string> {
  const openings = new Map<number, string[]>();
  for (const { stretch, text, passage } of sentences) {
    const begun = openings.get(stretch) ?? (passage.startByte === 0 ? [] : null);
    if (begun === null || begun.length >= opening) continue;
    openings.set(stretch, [...begun, text]);
  }
  const known = new Map<string, ReadonlySet<string>>();
  return ({ stretch, under, passage }) => {
    const key = `${stretch}\n${under}`;
    const text = [under, passage.source, ...(openings.get(stretch) ?? [])].join('\n');
    const frame = known.get(key) ?? new Set(contentTerms(text));
    known.set(key, frame);
    return frame;
  };
}

/** Each set of passages that a claim cites is read by itself, and an answer is checked more than once. */
const keptSentences = 1_000;
const termsOf = createMemo(keptSentences, (sentence) => {
  const terms: readonly string[] = contentTerms(sentence);
  return { terms, has: new Set(terms) as ReadonlySet<string> };
});
const quantitiesOf = createMemo(keptSentences, (sentence): readonly Quantity[] => readQuantities(sentence));

/** Reads passages into sentences and counts their terms. */
export function readEvidence(passages: readonly Passage[]): EvidenceText {
  const read = readSentences(passages);
  const frameOf = createFrames(read);
  const places = new Map<string, number[]>();
  const sentences = read.map((sentence, number) => {
    const { terms, has } = termsOf(sentence.text);
    for (const term of has) {
      const known = places.get(term);
      if (known) known.push(number);
      else places.set(term, [number]);
    }
    return {
      ...sentence,
      terms,
      has,
      frame: frameOf(sentence),
      get quantities() {
        return quantitiesOf(sentence.text);
      },
    };
  });
  const having = (term: string) => places.get(term) ?? [];
  const all = Math.max(sentences.length, fewest);
  const rarity = (term: string) => Math.log(1 + (all - having(term).length + 0.5) / (having(term).length + 0.5));
  return { sentences, having, rarity };
}

/** Returns the share of terms that are found, weighted by rarity, 0–1; 0 when there are none. */
export function coverage(terms: Iterable<string>, has: (term: string) => boolean, { rarity }: EvidenceText): number {
  let [found, all] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    if (has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** A run of sentences of one document. */
export interface Stretch {
  /** The share of the terms that the run and its headings have, weighted by rarity, 0–1. */
  readonly share: number;
  readonly sentences: readonly EvidenceSentence[];
}

/** Marks the first sentence of each run that has a term, in its sentences or in their headings. */
function markRuns(term: string, size: number, { sentences, having }: EvidenceText): Uint8Array {
  const marked = new Uint8Array(sentences.length);
  for (const [at, { frame }] of sentences.entries()) if (frame.has(term)) marked[at] = 1;
  for (const place of having(term)) {
    const { stretch } = sentences[place]!;
    for (let at = place; at > place - size && at >= 0 && sentences[at]!.stretch === stretch; at--) marked[at] = 1;
  }
  return marked;
}

/** Returns the run of at most `size` sentences that has most of the terms; the first of equal ones. */
export function bestRun(terms: ReadonlySet<string>, size: number, evidence: EvidenceText): Stretch {
  const { sentences, rarity } = evidence;
  const sums = new Float64Array(sentences.length);
  let all = 0;
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    for (const [at, isMarked] of markRuns(term, size, evidence).entries()) if (isMarked) sums[at]! += weight;
  }
  let best = 0;
  for (const [at, sum] of sums.entries()) if (sum > sums[best]! + 1e-9) best = at;
  const run = sentences.slice(best, best + size).filter(({ stretch }) => stretch === sentences[best]!.stretch);
  return { share: all === 0 || sentences.length === 0 ? 0 : sums[best]! / all, sentences: run };
}
