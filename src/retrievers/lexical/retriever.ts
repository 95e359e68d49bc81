import { createPacer } from '../../base/time.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import type { Passage } from '../../state.ts';
import type { Query, Retriever } from '../retriever.ts';
import { createSurroundings } from './chunk-bytes.ts';
import { createIndexBuilder, createPostings, type IndexBuilder, type Postings } from './postings.ts';
import { createBm25, createNameScores, queryWeights, type Ranking, shippedRanking } from './ranking.ts';
import { ThreadLost } from './thread/counting-thread.ts';

/** Yields items in order. With a heap, the first few items cost little more than one pass. */
function* bestFirst(items: Uint32Array, before: (a: number, b: number) => boolean): Generator<number> {
  const heap = items.slice();
  for (let root = (heap.length >> 1) - 1; root >= 0; root--) sink(heap, root, heap.length, before);
  for (let size = heap.length; size > 0; size--) {
    yield heap[0]!;
    heap[0] = heap[size - 1]!;
    sink(heap, 0, size - 1, before);
  }
}

function sink(heap: Uint32Array, from: number, size: number, before: (a: number, b: number) => boolean): void {
  const item = heap[from]!;
  let hole = from;
  for (let child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, item)) break;
    heap[hole] = heap[child]!;
    hole = child;
  }
  heap[hole] = item;
}

/** Returns the best passages with scores above 0 that fit the query's limits; ties are in text order. */
export function takeBest(store: ContextStore, scores: Float64Array, { limit, maxBytes, exclude }: Query): Passage[] {
  const passages: Passage[] = [];
  let left = maxBytes;
  const better = (x: number, y: number) => scores[x]! > scores[y]! || (scores[x] === scores[y] && x < y);
  for (const index of bestFirst(placesAboveZero(scores), better)) {
    if (passages.length >= limit || left <= 0) break;
    const chunk = store.chunk(index);
    if (chunk.endByte - chunk.startByte > left) continue;
    const passage = store.passage(chunk, scores[index]!);
    if (exclude?.has(passage.id)) continue;
    const bytes = passage.endByte - passage.startByte;
    if (bytes > left) continue;
    passages.push(passage);
    left -= bytes;
  }
  return passages;
}

function placesAboveZero(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  let count = 0;
  for (let at = 0; at < scores.length; at++) if (scores[at]! > 0) places[count++] = at;
  return places.subarray(0, count);
}

export const nearBestByWords = 0.6;

/** A retriever whose index may grow while the text arrives. */
export interface LexicalRetriever extends Retriever {
  /** Indexes the text so far. Rejects with the signal's reason or RlmError `no-space`. */
  advance(signal: AbortSignal): Promise<void>;
  close(): void;
}

type Scorer = (query: Pick<Query, 'text' | 'focus'>) => Float64Array;

const byScores = (store: ContextStore, scorer: (signal: AbortSignal) => Promise<Scorer>): Retriever => ({
  name: 'lexical',
  nearBest: nearBestByWords,
  retrieve: async (query, signal) => {
    const score = await scorer(signal);
    return takeBest(store, score(query), query);
  },
});

/** Creates a lexical retriever over an index that the caller owns. */
export function createIndexedRetriever(store: ContextStore, postings: Postings): LexicalRetriever {
  let scorer: Scorer | null = null;
  const advance = async (signal: AbortSignal) => signal.throwIfAborted();
  const scorerOf = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    scorer ??= createScorer(store, postings, shippedRanking);
    return scorer;
  };
  return { ...byScores(store, scorerOf), advance, close: () => {} };
}

/**
 * Creates a BM25 retriever of chunks. A document's first line counts more than other lines, and its name counts a
 * little. If `first` loses its thread, the index is built again in this thread. `retrieve` rejects like `advance`.
 * @param first the first builder of the index, which must analyse text like `ranking`.
 */
export function createLexicalRetriever(
  store: ContextStore,
  ranking: Ranking = shippedRanking,
  first: IndexBuilder = createIndexBuilder(ranking.analyse),
): LexicalRetriever {
  const begin = (builder: IndexBuilder) => ({ builder, around: createSurroundings(store), built: 0 });
  let growing = begin(first);
  let scorer: Promise<Scorer> | null = null;

  const addChunks = async (signal: AbortSignal) => {
    const pace = createPacer(25);
    signal.throwIfAborted();
    while (growing.built < store.chunkCount) {
      const { builder, around } = growing;
      const chunk = store.chunk(growing.built++);
      const bytes = store.read(chunk.document, chunk.startByte, chunk.endByte);
      countChunk(builder, chunk, bytes, ranking.countsSurroundings ? around(chunk, bytes) : null, ranking);
      await (builder.room?.() ?? pace());
      signal.throwIfAborted();
    }
  };
  const againHere = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      growing.builder.close();
      growing = begin(createIndexBuilder(ranking.analyse));
      return work();
    }
  };
  const finish = async (signal: AbortSignal) => {
    await addChunks(signal);
    return createScorer(store, createPostings(await growing.builder.finish()), ranking);
  };
  const advance = (signal: AbortSignal) => againHere(() => addChunks(signal));
  const scorerOf = async (signal: AbortSignal) => {
    await advance(signal);
    scorer ??= againHere(() => finish(signal)).catch((error: unknown) => {
      scorer = null;
      throw error;
    });
    return scorer;
  };
  return { ...byScores(store, scorerOf), advance, close: () => growing.builder.close() };
}

/** Adds a chunk to an index. `around`: further text (UTF-8) whose words also find the chunk. */
export function countChunk(
  builder: Pick<IndexBuilder, 'count' | 'endChunk'>,
  chunk: Chunk,
  bytes: Uint8Array,
  around: Uint8Array | null,
  { titleRepeats }: Pick<Ranking, 'titleRepeats'> = shippedRanking,
): void {
  const title = titleOf(chunk, bytes);
  for (let time = 0; time < titleRepeats; time++) builder.count(title);
  if (around !== null) builder.count(around);
  builder.count(bytes);
  builder.endChunk();
}

const longestTitle = 200;

function titleOf({ startByte }: Chunk, bytes: Uint8Array): Uint8Array {
  const end = startByte === 0 ? bytes.subarray(0, longestTitle + 1).indexOf(0x0a) : -1;
  return bytes.subarray(0, end < 0 || bytes.length - end < 3 ? 0 : end + 1);
}

function createScorer(store: ContextStore, text: Postings, ranking: Ranking): Scorer {
  const addTextScores = createBm25(text, ranking);
  const addNameScores = createNameScores(store, ranking);
  return (query) => {
    const weights = queryWeights(query, ranking);
    const scores = new Float64Array(text.chunkCount);
    addTextScores(scores, weights);
    addNameScores(scores, weights);
    return scores;
  };
}
