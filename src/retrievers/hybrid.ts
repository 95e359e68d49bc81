import { createFusedRetriever } from './fused.ts';
import { type Retriever, wordsAlone } from './retriever.ts';

/** Passages of each list that are looked at, at least. */
const depth = 100;

export interface HybridParts {
  readonly lexical: Retriever;
  /** May fail; then the words alone decide, from then on. */
  readonly vector: Retriever;
  readonly warn: (message: string) => void;
}

/** Retrieves by words and by meaning, joined by rank. `retrieve` rejects as the lexical retriever does. */
export function createHybridRetriever({ lexical, vector, warn }: HybridParts): Retriever {
  const name = 'hybrid';
  const both = createFusedRetriever({ name, sure: lexical, unsure: vector, loss: wordsAlone, depth, warn });
  return {
    name,
    retrieve: (query, signal, access) => (query.byWords ? lexical : both).retrieve(query, signal, access),
  };
}
