import { untilAborted, wait } from '../../base/abort.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { createPacer, now } from '../../base/time.ts';
import type { ContextStore } from '../../context/document.ts';
import { takeBest } from '../lexical/retriever.ts';
import { createAttempts, type Embed, type Retriever, wordsAlone } from '../retriever.ts';

/** The vectors of all chunks, in order. Each has length 1, or is all zeros for a blank chunk. */
interface VectorIndex {
  readonly dimensions: number;
  readonly rows: Float32Array;
}

interface IndexOptions {
  readonly embed: Embed;
  /** Maximum number of chunks in one request. */
  readonly batch: number;
  readonly onProgress: (done: number) => void;
}

/** Number of concurrent requests: the server processes one while others are on their way. */
const width = 3;

/** Maximum bytes of text in a request, except for a single longer chunk. Servers limit the tokens of a request. */
const batchBytes = 200_000;

/** `to` is exclusive. */
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

function copyUnit(vector: Float32Array, target: Float32Array, at: number): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const factor = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let place = 0; place < vector.length; place++) target[at + place] = vector[place]! * factor;
}

function createVectorIndex(store: ContextStore, { embed, batch, onProgress }: IndexOptions) {
  let index: VectorIndex = { dimensions: 0, rows: new Float32Array() };
  let left: readonly Range[] | null = null;
  let done = 0;
  let building: Promise<VectorIndex> | null = null;
  let ending = new AbortController();
  let waiting = 0;

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
    /** All queries share one computation. It is aborted when no query waits for it. */
    async build(signal: AbortSignal): Promise<VectorIndex> {
      if (building === null || ending.signal.aborted) {
        ending = new AbortController();
        const started = build(ending.signal).finally(() => {
          if (building === started) building = null;
        });
        building = started;
      }
      const end = ending;
      waiting += 1;
      return untilAborted(building, signal).finally(() => {
        waiting -= 1;
        if (waiting === 0) end.abort(signal.reason);
      });
    },
  };
}

export interface VectorPatience {
  /** How long queries wait for the vectors, in ms from the first query on. */
  readonly ms: number;
  /** Called with the number of finished chunks if vectors are late. If it does not throw, the query finds nothing. */
  readonly onLate: (done: number) => void;
  /** Ends the computation of vectors, which otherwise continues after `ms`. */
  readonly ended: AbortSignal;
}

interface VectorOptions extends IndexOptions {
  readonly embedQuery: Embed;
  /** If absent, queries wait without limit. */
  readonly patience?: VectorPatience;
}

/**
 * Creates a function that returns the result of work. If the result is not there `ms` after the first call of the
 * function, returns null; the work continues.
 */
function createWaiting(ms: number) {
  let until: number | null = null;
  return async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
    until ??= now() + ms;
    const done = new AbortController();
    work.catch(() => {}); // The work may fail after all callers have stopped waiting.
    const late = wait(Math.max(0, until - now()), done.signal).then(() => null);
    return Promise.race([untilAborted(work, signal), late]).finally(() => done.abort());
  };
}

const nearBest = 0.8;

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

/** Creates a retriever that ranks by cosine similarity. `retrieve` rejects with the errors of `embed`. */
export function createVectorRetriever(store: ContextStore, options: VectorOptions): Retriever {
  const { patience } = options;
  const { build, done } = createVectorIndex(store, options);
  const inTime = createWaiting(patience?.ms ?? 0);
  /** Returns the vectors; null if they are not ready in time. */
  function find(signal: AbortSignal): Promise<VectorIndex | null> {
    if (patience === undefined) return build(signal);
    return inTime(build(AbortSignal.any([signal, patience.ended])), signal);
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

function createQueryVector(embed: Embed) {
  const known = new Map<string, Float32Array>();
  return async (text: string, signal: AbortSignal): Promise<Float32Array> => {
    const vector = known.get(text) ?? (await embed([text], signal))[0]!;
    known.set(text, vector);
    return vector;
  };
}

/** Provides vectors to a search server, which then searches by meaning. */
export interface Meaning {
  /** Returns the vector of a text; null if none is available. The server then searches by words. */
  vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  readonly isAlone: boolean;
}

/**
 * Creates vectors of queries for a search server.
 * @param isAlone whether the server must search by meaning alone. If true, `vectorOf` rejects when `embed` fails. If
 *   false, `vectorOf` returns null when `embed` fails, and the server searches by words.
 */
export function createMeaning(embed: Embed, isAlone: boolean, warn: (message: string) => void): Meaning {
  const queryVector = createQueryVector(embed);
  const attempt = createAttempts(wordsAlone, warn);
  const vectorOf: Meaning['vectorOf'] = (text, signal) => attempt(() => queryVector(text, signal), signal);
  return { isAlone, vectorOf: isAlone ? queryVector : vectorOf };
}
