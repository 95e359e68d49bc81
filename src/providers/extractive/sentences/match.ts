import type { ClauseQuery } from '../question/query.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';

/** A word of a clause with where it occurs. */
export interface Match {
  /** With its rarity. */
  readonly weight: number;
  readonly soft: boolean;
  readonly name: boolean;
  readonly own: ReadonlyMap<number, number>;
  readonly around: ReadonlyMap<number, number>;
  readonly passages: ReadonlySet<string>;
}

const beside = 0.4;
/** What a word counts in a heading over the sentence, of what it counts in the sentence. */
export const above = 0.6;
const samePassage = 0.2;
const smallest = 8;
const rarest = 1.5;
const nearEnoughForName = 0.8;

/** From 1 for a word in every sentence to 2.5 for one in none. */
export function rarity(having: number, all: number): number {
  const size = Math.max(all, smallest) + 1;
  return 1 + rarest * Math.max(0, Math.log(size / (having + 0.5)) / Math.log(size / 0.5));
}

/** Finds the words of a clause. */
export function matchTerms(query: ClauseQuery, { sentences, own, around }: SentenceIndex): Match[] {
  return query.terms.map(({ term, weight, soft, name }) => {
    const found = own.find(term);
    const passages = new Set<string>();
    for (const [index, near] of found)
      if (!name || near >= nearEnoughForName) passages.add(sentences[index]!.passage.id);
    return {
      weight: weight * rarity(found.size, own.size),
      soft,
      name,
      own: found,
      around: around.find(term),
      passages,
    };
  });
}

/** The mean of a value over matches, by their weights. */
export function share(matches: readonly Match[], value: (match: Match) => number): number {
  let total = 0;
  let sum = 0;
  for (const match of matches) {
    total += match.weight;
    sum += match.weight * value(match);
  }
  return total === 0 ? 0 : sum / total;
}

/** How near to a sentence a word stands that need not be in it: beside it, above it, or in the same passage. */
export function surrounding({ own, around, passages }: Match, index: number, sentences: readonly Sentence[]): number {
  const over = (around.get(index) ?? 0) * above;
  const { id } = sentences[index]!.passage;
  if (!passages.has(id)) return over;
  const before = sentences[index - 1]?.passage.id === id ? (own.get(index - 1) ?? 0) : 0;
  const after = sentences[index + 1]?.passage.id === id ? (own.get(index + 1) ?? 0) : 0;
  return Math.max(before * beside, after * beside, over, samePassage);
}

/** Share of names that a passage has, the rarest counting most; 1 when there are none. */
export function shareOfNames(names: readonly Match[], index: number, { passage }: Sentence): number {
  if (names.length === 0) return 1;
  const squared = names.map((match) => ({ ...match, weight: match.weight ** 2 }));
  return share(squared, ({ passages, around }) => (passages.has(passage.id) || around.has(index) ? 1 : 0));
}

/** 1 when the words stand side by side in the order of the question, less when they are scattered. */
export function closeness(sequence: readonly string[], words: readonly string[]): number {
  if (sequence.length < 2) return 0;
  const places = sequence.map((word) => words.indexOf(word));
  const close = places.slice(1).reduce((sum, place, index) => {
    const before = places[index]!;
    return place < 0 || before < 0 ? sum : sum + 1 / Math.max(1, Math.abs(place - before));
  }, 0);
  return close / (sequence.length - 1);
}
