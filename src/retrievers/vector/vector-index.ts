import { mapConcurrent } from '../../base/map-concurrent.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Embed } from '../retriever.ts';

/** Vectors of all chunks, each of length 1, or all zeros for a blank chunk. */
export interface VectorIndex {
  readonly dimensions: number;
  /** The vectors of consecutive chunks. */
  readonly rows: Float32Array;
}

export interface IndexOptions {
  /** Computes vectors of passages. */
  readonly embed: Embed;
  /** Chunks of one request, at most. */
  readonly batch: number;
  /** Called as the index grows. */
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
export function copyUnit(vector: Float32Array, target: Float32Array, at: number): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const factor = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let place = 0; place < vector.length; place++) target[at + place] = vector[place]! * factor;
}

/**
 * Creates the index of a store's vectors, computed on first use. Concurrent callers share the computation; a caller
 * that aborts, or a failed request, leaves the progress to the next.
 * @throws the errors of `embed`, and the signal's reason.
 */
export function createVectorIndex(store: ContextStore, { embed, batch, onProgress }: IndexOptions) {
  let index: VectorIndex = { dimensions: 0, rows: new Float32Array() };
  let ranges: readonly Range[] | null = null;
  const filled = new Set<Range>();
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
    filled.add(range);
    onProgress([...filled].reduce((sum, [from, to]) => sum + to - from, 0));
  }

  async function build(signal: AbortSignal): Promise<VectorIndex> {
    ranges ??= rangesOf(store, batch);
    const left = ranges.filter((range) => !filled.has(range));
    await mapConcurrent(left, width, signal, fill);
    return index;
  }

  return (signal: AbortSignal): Promise<VectorIndex> => {
    building ??= build(signal).finally(() => {
      building = null;
    });
    return building;
  };
}
