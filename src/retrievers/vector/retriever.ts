import { createPacer } from '../../base/pacer.ts';
import type { ContextStore } from '../../context/document.ts';
import { takeBest } from '../lexical/take-best.ts';
import type { Embed, Retriever } from '../retriever.ts';
import { createQueryVector } from './meaning.ts';
import { copyUnit, createVectorIndex, type IndexOptions, type VectorIndex } from './vector-index.ts';

export interface VectorOptions extends IndexOptions {
  /** Makes the vector of a question. */
  readonly embedQuery: Embed;
}

/** Chunks that are compared before other work gets its turn. */
const chunksAtOnce = 1_000;

/** The cosine of each chunk's angle with the query's vector. */
async function cosines({ dimensions, rows }: VectorIndex, query: Float32Array): Promise<Float64Array> {
  const scores = new Float64Array(rows.length / dimensions);
  const pace = createPacer(25);
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (chunk % chunksAtOnce === 0) await pace();
    let sum = 0;
    const start = chunk * dimensions;
    for (let place = 0; place < dimensions; place++) sum += rows[start + place]! * query[place]!;
    scores[chunk] = sum;
  }
  return scores;
}

/**
 * Retrieves by meaning: the chunks whose vectors point most nearly the way of the query's, all of them compared. A
 * chunk that points the other way does not match, and a blank query matches nothing. The vectors of all chunks are made
 * at the first query; `retrieve` rejects with what making them throws, and with the signal's reason.
 */
export function createVectorRetriever(store: ContextStore, options: VectorOptions): Retriever {
  const index = createVectorIndex(store, options);
  const queryVector = createQueryVector(options.embedQuery);
  return {
    name: 'vector',
    async retrieve(query, signal) {
      signal.throwIfAborted();
      if (query.text.trim() === '' || query.byWords) return [];
      const built = await index(signal);
      if (built.dimensions === 0) return [];
      const vector = await queryVector(query.text, signal);
      const unit = new Float32Array(vector.length);
      copyUnit(vector, unit, 0);
      return takeBest(store, await cosines(built, unit), query);
    },
  };
}
