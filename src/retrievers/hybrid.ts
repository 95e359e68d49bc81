import { byScores, createFusedRetriever } from './fused.ts';
import { type Retriever, wordsAlone } from './retriever.ts';

/** Passages that are retrieved for each list, at least. */
const depth = 100;
/** Weights of words and meaning; `docs/decisions/0051-fusion.md` has the comparison. */
const weights = { words: 0.4, meaning: 0.6 } as const;
const nearBest = 0.7;

export interface HybridParts {
  readonly lexical: Retriever;
  /** May fail; from then on words alone decide. */
  readonly vector: Retriever;
  readonly warn: (message: string) => void;
}

/**
 * Creates a retriever by words and meaning, joined by their scores. `retrieve` rejects as the lexical retriever does.
 */
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
