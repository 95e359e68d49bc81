import { createPacer } from '../../base/pacer.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import type { Query, Retriever } from '../retriever.ts';
import { createBm25 } from './bm25.ts';
import { createChunkReader } from './chunk-bytes.ts';
import { createNameScores } from './name-scores.ts';
import { createIndexBuilder, createPostings, type IndexBuilder, type Postings } from './postings.ts';
import { queryWeights, type Ranking, shippedRanking } from './ranking.ts';
import { createSurroundings } from './surroundings.ts';
import { takeBest } from './take-best.ts';
import { ThreadLost } from './thread/thread-lost.ts';

/** Of scores by BM25. */
export const nearBestByWords = 0.6;

/** A retriever with an index that may grow while the text comes in. */
export interface LexicalRetriever extends Retriever {
  /** Indexes what is there so far. Rejects with the signal's reason and with RlmError `no-space`. */
  advance(signal: AbortSignal): Promise<void>;
  /** Lets go of the index. */
  close(): void;
}

/**
 * Retrieves by the words of the query: BM25 over the chunks, where a document's first line counts more than others and
 * its name a little. Equal scores stand in the order of the text. The index is built at the first query at the latest,
 * a slice at a time. A query of stop words alone matches nothing. `retrieve` rejects as `advance` does.
 * @param builder gathers it, by that ranking.
 */
export function createLexicalRetriever(
  store: ContextStore,
  ranking: Ranking = shippedRanking,
  builder: IndexBuilder = createIndexBuilder(ranking),
): LexicalRetriever {
  const { advance, scorer, close } = createLazyIndex(store, ranking, builder);
  return {
    name: 'lexical',
    nearBest: nearBestByWords,
    retrieve: async (query, signal) => {
      const score = await scorer(signal);
      return takeBest(store, score(query), query);
    },
    advance,
    close,
  };
}

/** Retrieves as `createLexicalRetriever` does, with an index that is there already and belongs to somebody else. */
export function createIndexedRetriever(
  store: ContextStore,
  postings: Postings,
  ranking: Ranking = shippedRanking,
): LexicalRetriever {
  let scorer: Scorer | null = null;
  return {
    name: 'lexical',
    nearBest: nearBestByWords,
    retrieve: async (query, signal) => {
      signal.throwIfAborted();
      scorer ??= createScorer(store, postings, ranking);
      return takeBest(store, scorer(query), query);
    },
    advance: async (signal) => signal.throwIfAborted(),
    close: () => {},
  };
}

/** Scores by chunk, counted from 0; 0 where nothing matches. */
type Scorer = (query: Pick<Query, 'text' | 'focus'>) => Float64Array;

interface LazyIndex {
  advance(signal: AbortSignal): Promise<void>;
  /** All of the text is there. Rejects as `advance` does. */
  scorer(signal: AbortSignal): Promise<Scorer>;
  close(): void;
}

/**
 * The index, built on by whoever needs it first: a caller that gives up leaves what it built to the next. Where a
 * builder's thread is lost, all is counted again here.
 */
function createLazyIndex(store: ContextStore, ranking: Ranking, first: IndexBuilder): LazyIndex {
  const begin = (builder: IndexBuilder) => ({
    builder,
    bytesOf: createChunkReader(store),
    around: createSurroundings(store),
    built: 0,
  });
  let growing = begin(first);
  let scorer: Promise<Scorer> | null = null;

  const addChunks = async (signal: AbortSignal) => {
    const pace = createPacer(25);
    signal.throwIfAborted();
    while (growing.built < store.chunkCount) {
      const { builder, bytesOf, around } = growing;
      const { chunk, bytes } = bytesOf(growing.built++);
      countChunk(builder, chunk, bytes, ranking.countsSurroundings ? around(chunk, bytes) : null, ranking);
      await (builder.room?.() ?? pace());
      signal.throwIfAborted();
    }
  };
  const orHere = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      growing.builder.close();
      growing = begin(createIndexBuilder(ranking));
      return work();
    }
  };
  const finish = async (signal: AbortSignal) => {
    await addChunks(signal);
    return createScorer(store, createPostings(await growing.builder.finish()), ranking);
  };
  return {
    advance: (signal) => orHere(() => addChunks(signal)),
    scorer: async (signal) => {
      await orHere(() => addChunks(signal));
      scorer ??= orHere(() => finish(signal)).catch((error: unknown) => {
        scorer = null;
        throw error;
      });
      return scorer;
    },
    close: () => growing.builder.close(),
  };
}

/**
 * Adds a chunk to an index.
 * @param around what counts besides its text, as UTF-8; null: nothing.
 */
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

/** The first line of a document, unless it is all there is or too long for a title. */
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
