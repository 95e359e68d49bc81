import { untilAborted, wait } from '../../base/abort.ts';
import { now } from '../../base/clock.ts';
import { createPacer } from '../../base/pacer.ts';
import type { ContextStore } from '../../context/document.ts';
import { takeBest } from '../lexical/take-best.ts';
import type { Embed, Retriever } from '../retriever.ts';
import { createQueryVector } from './meaning.ts';
import { copyUnit, createVectorIndex, type IndexOptions, type VectorIndex } from './vector-index.ts';

/** How long queries wait for the vectors of all chunks. */
export interface VectorPatience {
  /** In all, from the first query on. */
  readonly ms: number;
  /**
   * Called for a query that did not get the vectors in time, with the number that is done; the query finds nothing
   * unless this throws.
   */
  readonly onLate: (done: number) => void;
  /** Ends the computation of vectors, which continues while queries go without them. */
  readonly ended: AbortSignal;
}

export interface VectorOptions extends IndexOptions {
  /** Computes the vector of a question. */
  readonly embedQuery: Embed;
  /** How long queries wait; absent: without limit. */
  readonly patience?: VectorPatience;
}

/** Creates a wait of `ms` in total; it resolves to null when the time ends first, and the work continues. */
function createWaiting(ms: number) {
  let until: number | null = null;
  return async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
    until ??= now() + ms;
    const done = new AbortController();
    work.catch(() => {}); // No caller may be waiting when the work fails.
    const late = wait(Math.max(0, until - now()), done.signal).then(() => null);
    return Promise.race([untilAborted(work, signal), late]).finally(() => done.abort());
  };
}

/** `nearBest` of cosines; see `Retriever`. */
const nearBest = 0.8;

/** Chunks that are compared before other work gets a turn. */
const chunksAtOnce = 1_000;

/** Computes the cosine similarity of each chunk to the query. */
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
 * Creates a retriever by meaning: it compares the query's vector with those of all chunks, by cosine similarity. A
 * chunk with a negative similarity does not match, and a blank query matches nothing. The vectors of all chunks are
 * computed from the first query on; `retrieve` rejects with the errors of that, and with the signal's reason.
 */
export function createVectorRetriever(store: ContextStore, options: VectorOptions): Retriever {
  const { patience } = options;
  let done = 0;
  const onProgress = (count: number) => {
    done = count;
    options.onProgress(count);
  };
  const index = createVectorIndex(store, { ...options, onProgress });
  const waiting = createWaiting(patience?.ms ?? 0);
  /** Returns the vectors; null where they are not ready in time. */
  function find(signal: AbortSignal): Promise<VectorIndex | null> {
    if (patience === undefined) return index(signal);
    return waiting(index(AbortSignal.any([signal, patience.ended])), signal);
  }
  const queryVector = createQueryVector(options.embedQuery);
  return {
    name: 'vector',
    nearBest,
    async retrieve(query, signal) {
      signal.throwIfAborted();
      if (query.text.trim() === '' || query.byWords) return [];
      const built = await find(signal);
      if (built === null) patience?.onLate(done);
      if (built === null || built.dimensions === 0) return [];
      const vector = await queryVector(query.text, signal);
      const unit = new Float32Array(vector.length);
      copyUnit(vector, unit, 0);
      return takeBest(store, await cosines(built, unit), query);
    },
  };
}
