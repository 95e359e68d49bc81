import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { ClauseQuery } from '../question/query.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';

/** A word of a clause with its occurrences. */
export interface Match {
  readonly term: string;
  /** Weight by rarity among the sentences; low for a word that says what kind of answer is wanted. */
  readonly weight: number;
  readonly soft: boolean;
  /** Whether it names the kind of answer. */
  readonly kind: boolean;
  readonly name: boolean;
  readonly own: ReadonlyMap<number, number>;
  readonly around: ReadonlyMap<number, number>;
  readonly passages: ReadonlySet<string>;
}

/** Weight of a word in a heading above the sentence, relative to one in the sentence. */
export const above = 0.75;
const softWeight = 0.35;
const fewest = 20;
/** Similarity from which a word counts as one of the question. */
export const nearEnough = 0.7;
const nearEnoughForName = 0.8;

/** Returns BM25's inverse document frequency, for at least `fewest` texts: among three sentences no word is rare. */
function inverseFrequency(having: number, all: number): number {
  return Math.log(1 + (Math.max(all, fewest) - having + 0.5) / (having + 0.5));
}

/** Finds the words of a clause in sentences. */
export function matchTerms(query: ClauseQuery, { sentences, own, around }: SentenceIndex): Match[] {
  return query.terms.map(({ term, soft, kind, name }) => {
    const found = own.find(term);
    const passages = new Set<string>();
    for (const [index, near] of found)
      if (!name || near >= nearEnoughForName) passages.add(sentences[index]!.passage.id);
    return {
      term,
      weight: (soft ? softWeight : 1) * inverseFrequency(own.count(term), own.size),
      soft,
      kind,
      name,
      own: found,
      around: around.find(term),
      passages,
    };
  });
}

/** Returns the mean of a value over matches, weighted by their weights. */
export function share<M extends Pick<Match, 'weight'>>(matches: readonly M[], value: (match: M) => number): number {
  let total = 0;
  let sum = 0;
  for (const match of matches) {
    total += match.weight;
    sum += match.weight * value(match);
  }
  return total === 0 ? 0 : sum / total;
}

/** Returns the share of names that a passage contains, with rare ones weighing most; 1 when there are none. */
export function shareOfNames(names: readonly Match[], index: number, { passage }: Sentence): number {
  if (names.length === 0) return 1;
  const squared = names.map((match) => ({ ...match, weight: match.weight ** 2 }));
  return share(squared, ({ passages, around }) => (passages.has(passage.id) || around.has(index) ? 1 : 0));
}

const nearby = 2;

/** Returns the share of adjacent words of the question that are at most two words apart in a sentence. */
export function pairsNear(sequence: readonly string[], words: readonly string[]): number {
  if (sequence.length < 2) return 0;
  const places = sequence.map((word) => words.indexOf(word));
  const near = places.slice(1).filter((place, at) => {
    const before = places[at]!;
    return place >= 0 && before >= 0 && Math.abs(place - before) <= nearby;
  });
  return near.length / (sequence.length - 1);
}
