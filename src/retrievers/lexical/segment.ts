import { createCounts, firstWhere } from '../../base/arrays.ts';
import type { Spool, StoredBytes } from '../../context/store/spool.ts';
import type { TermCounter } from './term-counter.ts';

/** The encoded terms of a part of the chunks. */
export interface Segment {
  readonly firstChunk: number;
  /**
   * Offset of the segment's table in the stored bytes. The table has 16 bytes per term and is sorted by key. The
   * postings follow the table.
   */
  readonly start: number;
  readonly terms: number;
  /** The keys of every 128th term. */
  readonly sparse: Float64Array;
}

export interface TermEntry {
  readonly segment: Segment;
  /** Offset of its postings in the stored bytes. */
  readonly start: number;
  /** Number of chunks that contain the term. */
  readonly holders: number;
}

const entryBytes = 16;
/** Maximum size of a posting: five bytes for its chunk and five for its frequency. */
const postingBytes = 10;
const sparseEvery = 128;

/** Returns the length of `sparse` for a segment of `terms` terms. */
export const sparseCount = (terms: number): number => Math.ceil(terms / sparseEvery);

/** Collects the terms of chunks, and writes them as segments. */
export function createSegmentBuilder() {
  const terms = createCounts();
  const frequencies = createCounts();
  const ends = createCounts();
  let firstChunk = 0;
  const addEntry = (term: number, frequency: number) => {
    terms.push(term);
    frequencies.push(frequency);
  };
  return {
    chunks: ends.length,
    addChunk: (counter: TermCounter) => {
      counter.take(addEntry);
      ends.push(terms.length());
    },
    finish: (counter: TermCounter, spool: Pick<Spool, 'append'>): Segment => {
      const postings = invert(terms.values(), frequencies.values(), ends.values(), counter.known());
      const segment = writeSegment(firstChunk, postings, counter, spool);
      firstChunk += ends.length();
      for (const column of [terms, frequencies, ends]) column.truncate(0);
      return segment;
    },
  };
}

type Inverted = ReturnType<typeof invert>;

/**
 * Turns the terms of each chunk into the chunks of each term. The first chunk of the segment has the number 0. The
 * entries of term n begin at `starts[n]`.
 */
function invert(terms: Uint32Array, frequencies: Uint32Array, ends: Uint32Array, termCount: number) {
  const starts = new Uint32Array(termCount + 1);
  for (let entry = 0; entry < terms.length; entry++) starts[terms[entry]! + 1]!++;
  for (let term = 0; term < termCount; term++) starts[term + 1]! += starts[term]!;
  const next = starts.slice();
  const chunks = new Uint32Array(terms.length);
  const ordered = new Uint32Array(terms.length);
  for (let entry = 0, chunk = 0; entry < terms.length; entry++) {
    while (entry >= ends[chunk]!) chunk++;
    const place = next[terms[entry]!]!++;
    chunks[place] = chunk;
    ordered[place] = frequencies[entry]!;
  }
  return { starts, chunks, frequencies: ordered };
}

function writeSegment(firstChunk: number, inverted: Inverted, counter: TermCounter, spool: Pick<Spool, 'append'>) {
  const { starts } = inverted;
  const { terms, keys } = termsByKey(starts, counter);
  const table = Buffer.allocUnsafeSlow(terms.length * entryBytes);
  const entries = new DataView(table.buffer);
  const sparse = new Float64Array(sparseCount(terms.length));
  const encoded = Buffer.allocUnsafeSlow(starts.at(-1)! * postingBytes);
  let length = 0;
  for (let index = 0; index < terms.length; index++) {
    const [key, from, to] = [keys[index]!, starts[terms[index]!]!, starts[terms[index]! + 1]!];
    if (index % sparseEvery === 0) sparse[index / sparseEvery] = key;
    entries.setFloat64(index * entryBytes, key, true);
    entries.setUint32(index * entryBytes + 8, length, true);
    entries.setUint32(index * entryBytes + 12, to - from, true);
    length = encodePostings(encoded, length, inverted, from, to);
  }
  const start = spool.append(table);
  spool.append(encoded.subarray(0, length));
  return { firstChunk, start, terms: terms.length, sparse };
}

function termsByKey(starts: Uint32Array, { key, find }: TermCounter) {
  const held = new Float64Array(starts.length - 1);
  let count = 0;
  for (let term = 0; term < held.length; term++) if (starts[term + 1]! > starts[term]!) held[count++] = key(term);
  const keys = held.subarray(0, count).sort();
  const terms = new Uint32Array(count);
  for (let at = 0; at < count; at++) terms[at] = find(keys[at]!);
  return { keys, terms };
}

/**
 * Encodes each posting as twice the distance to the previous chunk. If the frequency is above 1, adds 1 to this number
 * and writes the frequency after it. Returns the end offset.
 */
function encodePostings(into: Buffer, at: number, { chunks, frequencies }: Inverted, from: number, to: number): number {
  let before = 0;
  for (let entry = from; entry < to; entry++) {
    const frequency = frequencies[entry]!;
    const step = (chunks[entry]! - before) * 2;
    before = chunks[entry]!;
    at = writeNumber(into, at, frequency > 1 ? step + 1 : step);
    if (frequency > 1) at = writeNumber(into, at, frequency);
  }
  return at;
}

/** Writes LEB128: seven bits per byte, lowest first; the top bit of the last byte is 0. Returns the end offset. */
function writeNumber(into: Buffer, at: number, value: number): number {
  let rest = value;
  while (rest > 0x7f) {
    into[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[at++] = rest;
  return at;
}

export function findTerm(segment: Segment, key: number, bytes: StoredBytes): TermEntry | null {
  const { sparse, terms } = segment;
  const block = firstWhere(0, sparse.length, (at) => sparse[at]! > key) - 1;
  if (block < 0) return null;
  const first = block * sparseEvery;
  const count = Math.min(sparseEvery, terms - first);
  const entries = bytes.read(segment.start + first * entryBytes, segment.start + (first + count) * entryBytes);
  const at = entryBytes * firstWhere(0, count, (entry) => entries.readDoubleLE(entry * entryBytes) >= key);
  if (at === entries.length || entries.readDoubleLE(at) !== key) return null;
  const start = segment.start + terms * entryBytes + entries.readUInt32LE(at + 8);
  return { segment, start, holders: entries.readUInt32LE(at + 12) };
}

/** Writes a term's chunks (numbered across all segments) and frequencies into the arrays, from index `at`. */
export function readPostings(
  { segment, start, holders }: TermEntry,
  bytes: StoredBytes,
  chunks: Uint32Array,
  frequencies: Uint32Array,
  at: number,
): void {
  const encoded = bytes.read(start, Math.min(bytes.size(), start + holders * postingBytes));
  let place = 0;
  let chunk = segment.firstChunk;
  const readNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = encoded[place++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let entry = at; entry < at + holders; entry++) {
    const step = readNumber();
    chunk += step >>> 1;
    chunks[entry] = chunk;
    frequencies[entry] = step & 1 ? readNumber() : 1;
  }
}
