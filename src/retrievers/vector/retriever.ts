import { untilAborted, wait } from '../../base/abort.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { createPacer, now } from '../../base/time.ts';
import type { ContextStore } from '../../context/document.ts';
import { takeBest } from '../lexical/retriever.ts';
import { createAttempts, type Embed, type Retriever, wordsAlone } from '../retriever.ts';

/** Vectors of all chunks, each of length 1, or all zeros for a blank chunk. */
interface VectorIndex {
  readonly dimensions: number;
  readonly rows: Float32Array;
}

interface IndexOptions {
  readonly embed: Embed;
  /** Chunks of one request, at most. */
  readonly batch: number;
  readonly onProgress: (done: number) => void;
}

/** Concurrent requests: one is processed while the next is on its way. */
const width = 3;

/** Bytes of text in one request, at most, except for a single longer chunk: servers limit the tokens of a request. */
const batchBytes = 200_000;

/** Consecutive chunks: the first, and the one after the last. */
type Range = readonly [from: number, to: number];

function rangesOf(store: ContextStore, batch: number): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < store.chunkCount; at++) {
    const { startByte, endByte } = store.chunk(at);
    const isFull = at - from >= batch || (at > from && bytes + endByte - startByte > batchBytes);
    if (isFull) ranges.push([from, at]);
    if (isFull) [from, bytes] = [at, 0];
    bytes += endByte - startByte;
  }
  return from < store.chunkCount ? [...ranges, [from, store.chunkCount]] : ranges;
}

/** Copies a vector, normalised to length 1; one of zeros is copied as it is. */
function copyUnit(vector: Float32Array, target: Float32Array, at: number): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const factor = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let place = 0; place < vector.length; place++) target[at + place] = vector[place]! * factor;
}

/** Creates the index of a store's vectors, computed on first use and shared. Throws the errors of `embed`. */
function createVectorIndex(store: ContextStore, { embed, batch, onProgress }: IndexOptions) {
  let index: VectorIndex = { dimensions: 0, rows: new Float32Array() };
  let left: readonly Range[] | null = null;
  let done = 0;
  let building: Promise<VectorIndex> | null = null;

  function put(chunks: readonly number[], vectors: readonly Float32Array[]): void {
    for (const [place, vector] of vectors.entries()) {
      const dimensions = vector.length;
      if (index.dimensions === 0) index = { dimensions, rows: new Float32Array(store.chunkCount * dimensions) };
      copyUnit(vector, index.rows, chunks[place]! * dimensions);
    }
  }

  async function fill(range: Range, signal: AbortSignal): Promise<void> {
    const texts = new Map<number, string>();
    for (let at = range[0]; at < range[1]; at++) {
      const text = store.text(store.chunk(at));
      if (text.trim() !== '') texts.set(at, text);
    }
    if (texts.size > 0) put([...texts.keys()], await embed([...texts.values()], signal));
    left = left!.filter((other) => other !== range);
    done += range[1] - range[0];
    onProgress(done);
  }

  async function build(signal: AbortSignal): Promise<VectorIndex> {
    left ??= rangesOf(store, batch);
    await mapConcurrent(left, width, signal, fill);
    return index;
  }

  return {
    done: () => done,
    build(signal: AbortSignal): Promise<VectorIndex> {
      building ??= build(signal).finally(() => {
        building = null;
      });
      return building;
    },
  };
}

export interface VectorPatience {
  /** In all, from the first query on. */
  readonly ms: number;
  /** Called for a query without its vectors in time, with the number done; it finds nothing unless this throws. */
  readonly onLate: (done: number) => void;
  /** Ends the computation of vectors, which continues while queries go without them. */
  readonly ended: AbortSignal;
}

interface VectorOptions extends IndexOptions {
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

/** Creates a retriever by cosine similarity with the vectors of all chunks. `retrieve` rejects as `embed` does. */
export function createVectorRetriever(store: ContextStore, options: VectorOptions): Retriever {
  const { patience } = options;
  const { build, done } = createVectorIndex(store, options);
  const waiting = createWaiting(patience?.ms ?? 0);
  /** Returns the vectors; null where they are not ready in time. */
  function find(signal: AbortSignal): Promise<VectorIndex | null> {
    if (patience === undefined) return build(signal);
    return waiting(build(AbortSignal.any([signal, patience.ended])), signal);
  }
  const queryVector = createQueryVector(options.embedQuery);
  return {
    name: 'vector',
    nearBest,
    async retrieve(query, signal) {
      signal.throwIfAborted();
      if (query.text.trim() === '' || query.byWords) return [];
      const built = await find(signal);
      if (built === null) patience?.onLate(done());
      if (built === null || built.dimensions === 0) return [];
      const vector = await queryVector(query.text, signal);
      const unit = new Float32Array(vector.length);
      copyUnit(vector, unit, 0);
      return takeBest(store, await cosines(built, unit), query);
    },
  };
}

/** Creates a cache of query vectors: the same query has the same vector in the whole run. */
function createQueryVector(embed: Embed) {
  const known = new Map<string, Float32Array>();
  return async (text: string, signal: AbortSignal): Promise<Float32Array> => {
    const vector = known.get(text) ?? (await embed([text], signal))[0]!;
    known.set(text, vector);
    return vector;
  };
}

/** How a search server is searched by meaning. */
export interface Meaning {
  /** Returns the query's vector; null where it is not available and words are used instead. */
  vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  /** Whether words are not searched for as well. */
  readonly isAlone: boolean;
}

/** Creates query vectors for a search server. Unless `isAlone`, words alone decide after a failure of `embed`. */
export function createMeaning(embed: Embed, isAlone: boolean, warn: (message: string) => void): Meaning {
  const queryVector = createQueryVector(embed);
  const attempt = createAttempts(wordsAlone, warn);
  const vectorOf: Meaning['vectorOf'] = (text, signal) => attempt(() => queryVector(text, signal), signal);
  return { isAlone, vectorOf: isAlone ? queryVector : vectorOf };
}
