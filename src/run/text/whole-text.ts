import type { ContextStore } from '../../context/document.ts';
import { densityOf, weigh } from '../../context/text-size.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { Budget } from '../door/budget.ts';
import type { Window } from '../door/window.ts';

/** Neighbouring chunks that are read together, of one document or of several. */
export interface ScanPiece {
  /** `3`, or `3.1` for the first half of piece 3. The same text has the same pieces each time. */
  readonly name: string;
  /** Index of its first chunk, and of the first one after it. */
  readonly start: number;
  readonly end: number;
  /** Of text. */
  readonly bytes: number;
}

/** All of the text, to be read piece by piece. */
export interface WholeText {
  /** The pieces in the order of the text. Each is as large as fits, and together they are every chunk once. */
  pieces(roomBytes: number): readonly ScanPiece[];
  /** Both halves of a piece, or null for one that is a single chunk. */
  halve(piece: ScanPiece): readonly [ScanPiece, ScanPiece] | null;
  /** Whether a passage is one of the piece's. */
  holds(piece: ScanPiece, passageId: string): boolean;
  /**
   * Some of the pieces, about `count` or fewer: those that hold the passages which suit the query best, the best first.
   * @throws RlmError `limit-fetches`; the reason why ordinary calls end.
   */
  rank(query: string, pieces: readonly ScanPiece[], count: number): Promise<readonly ScanPiece[]>;
}

/** The indexes of a piece's chunks, in order. */
export const chunksIn = ({ start, end }: ScanPiece): readonly number[] =>
  Array.from({ length: end - start }, (_, step) => start + step);

/** What a passage's tags add to its text and the name of its source, in bytes. */
const tagBytes = 80;

/** For each piece that is wanted, so many passages are looked at: the best ones may lie close together. */
const looksPerPiece = 20;

/** They are looked at together, and must not be the whole of a large text. */
const mostLookedAtBytes = 16_000_000;

function toPiece(name: string, store: ContextStore, start: number, end: number): ScanPiece {
  let bytes = 0;
  for (let index = start; index < end; index++) {
    const { startByte, endByte } = store.chunk(index);
    bytes += endByte - startByte;
  }
  return { name, start, end, bytes };
}

/** Room in a prompt for a piece of the text, in bytes: what the question takes of it is not for passages. */
export const roomForPieces = ({ passageBytes }: Pick<Window, 'passageBytes'>, question: string): number =>
  passageBytes - weigh(question);

/** The text as pieces that are as large as fits, in order; together they are every chunk once. */
export function cutIntoPieces(store: ContextStore, roomBytes: number): readonly ScanPiece[] {
  const { chunkCount } = store;
  const density = densityOf(store);
  const nameBytes = store.documents.map(({ name }) => Buffer.byteLength(name));
  const pieces: ScanPiece[] = [];
  const end = (start: number, next: number) => pieces.push(toPiece(`${pieces.length + 1}`, store, start, next));
  let start = 0;
  let left = roomBytes;
  for (let index = 0; index < chunkCount; index++) {
    const { document, startByte, endByte } = store.chunk(index);
    const needed = (endByte - startByte) * density + nameBytes[document]! + tagBytes;
    if (needed > left && index > start) {
      end(start, index);
      start = index;
      left = roomBytes;
    }
    left -= needed;
  }
  if (start < chunkCount) end(start, chunkCount);
  return pieces;
}

interface TextParts {
  readonly store: ContextStore;
  /** Of the store alone. */
  readonly retriever: Retriever;
  readonly budget: Budget;
}

/** Cuts the text of a store into pieces, and ranks them. */
export function createWholeText({ store, retriever, budget }: TextParts, signal: AbortSignal): WholeText {
  return {
    pieces: (roomBytes) => cutIntoPieces(store, roomBytes),
    halve({ name, start, end }) {
      if (end - start < 2) return null;
      const middle = Math.ceil((start + end) / 2);
      return [toPiece(`${name}.1`, store, start, middle), toPiece(`${name}.2`, store, middle, end)];
    },
    holds({ start, end }, id) {
      const index = store.indexOf(id);
      return index >= start && index < end;
    },
    async rank(query, pieces, count) {
      budget.takeFetch();
      const limit = Math.min(store.chunkCount, count * looksPerPiece);
      const best = await retriever.retrieve({ text: query, limit, maxBytes: mostLookedAtBytes }, signal);
      const holders = new Array<ScanPiece>(store.chunkCount);
      for (const piece of pieces) holders.fill(piece, piece.start, piece.end);
      return [...new Set(best.map(({ id }) => holders[store.indexOf(id)]!))];
    },
  };
}
