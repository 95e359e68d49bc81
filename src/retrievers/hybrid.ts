import { byScores, createFusedRetriever } from './fused.ts';
import { type Retriever, wordsAlone } from './retriever.ts';

/** Passages of each list that are looked at, at least. */
const depth = 100;
/** How words and meaning count; `docs/decisions/0051-fusion.md` has what was compared. */
const weights = { words: 0.4, meaning: 0.6 } as const;
const nearBest = 0.7;

export interface HybridParts {
  readonly lexical: Retriever;
  /** May fail; then the words alone decide, from then on. */
  readonly vector: Retriever;
  readonly warn: (message: string) => void;
}

/** Retrieves by words and by meaning, joined by their scores. `retrieve` rejects as the lexical retriever does. */
export function createHybridRetriever({ lexical, vector, warn }: HybridParts): Retriever {
  const name = 'hybrid';
  const join = byScores(weights.words, weights.meaning);
  const parts = { name, sure: lexical, unsure: vector, loss: wordsAlone, depth, join, nearBest, warn };
  const both = createFusedRetriever(parts);
  return {
    name,
    nearBest,
    retrieve: (query, signal, access) => (query.byWords ? lexical : both).retrieve(query, signal, access),
  };
}
