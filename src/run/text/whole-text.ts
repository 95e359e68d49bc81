import type { ContextStore } from '../../context/document.ts';
import { densityOf, weigh } from '../../context/text-size.ts';
import type { ModelInfo } from '../../providers/provider.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { Budget } from '../door/budget.ts';
import { isSmall } from '../model-capabilities.ts';

/** Neighbouring chunks of one or more documents that one call reads together. */
export interface ScanPiece {
  /** The piece's name: `3`, `3.1` for the first half of piece 3, `3+5` for piece 3 without its first five chunks. */
  readonly name: string;
  /** Index of the piece's first chunk. */
  readonly start: number;
  /** Index of the first chunk after the piece. */
  readonly end: number;
  readonly bytes: number;
}

/** Returns the indexes of the chunks of a range. */
export const chunksIn = ({ start, end }: Pick<ScanPiece, 'start' | 'end'>): readonly number[] =>
  Array.from({ length: end - start }, (_, step) => start + step);

/** Bytes of a passage's tags, without its text and the name of its source. */
const tagBytes = 80;

/** Number of passages to search for per wanted piece, since several of the best passages may be in one piece. */
const looksPerPiece = 20;

/** Maximum size of all passages of the search in `rank`, in bytes, so that a large text is not retrieved as a whole. */
const mostLookedAtBytes = 16_000_000;

function toPiece(name: string, store: ContextStore, start: number, end: number): ScanPiece {
  let bytes = 0;
  for (let index = start; index < end; index++) {
    const { startByte, endByte } = store.chunk(index);
    bytes += endByte - startByte;
  }
  return { name, start, end, bytes };
}

/** Bytes that a line number adds to a line. */
const numberBytes = 8;

/** Whether a scan shows line numbers: only for a single document, and for a language model that is not small. */
export const hasLineNumbers = ({ documents }: Pick<ContextStore, 'documents'>, info: ModelInfo): boolean =>
  documents.length === 1 && info.spends !== 'nothing' && !isSmall(info);

/** Returns the room for a piece of the text, in bytes: the passage room without the question and line numbers. */
export function roomForPieces(passageBytes: number, question: string, store: ContextStore, info: ModelInfo): number {
  const room = passageBytes - weigh(question);
  if (!hasLineNumbers(store, info)) return room;
  const { bytes, lines } = store.documents[0]!;
  return Math.floor((room * bytes) / (bytes + numberBytes * lines));
}

/** Cuts the text into pieces, in text order. A piece that exceeds `roomBytes` is a single chunk. */
export function cutIntoPieces(store: ContextStore, roomBytes: number): readonly ScanPiece[] {
  const { chunkCount } = store;
  const density = densityOf(store);
  const nameBytes = store.documents.map(({ name }) => Buffer.byteLength(name));
  const pieces: ScanPiece[] = [];
  const add = (start: number, end: number) => pieces.push(toPiece(`${pieces.length + 1}`, store, start, end));
  let start = 0;
  let left = roomBytes;
  for (let index = 0; index < chunkCount; index++) {
    const { document, startByte, endByte } = store.chunk(index);
    const needed = (endByte - startByte) * density + nameBytes[document]! + tagBytes;
    if (needed > left && index > start) {
      add(start, index);
      start = index;
      left = roomBytes;
    }
    left -= needed;
  }
  if (start < chunkCount) add(start, chunkCount);
  return pieces;
}

interface TextParts {
  readonly store: ContextStore;
  /** Searches only the store. */
  readonly retriever: Retriever;
  readonly budget: Budget;
}

/** Creates the access to a store's text piece by piece. */
export function createWholeText({ store, retriever, budget }: TextParts, signal: AbortSignal) {
  return {
    pieces: (roomBytes: number): readonly ScanPiece[] => cutIntoPieces(store, roomBytes),
    /** Returns the halves of a piece; null for a single chunk. */
    halve({ name, start, end }: ScanPiece): readonly [ScanPiece, ScanPiece] | null {
      if (end - start < 2) return null;
      const middle = Math.ceil((start + end) / 2);
      return [toPiece(`${name}.1`, store, start, middle), toPiece(`${name}.2`, store, middle, end)];
    },
    /** Returns the rest of a piece from a passage's chunk on; null if the chunk is the first or outside the piece. */
    from({ name, start, end }: ScanPiece, id: string): ScanPiece | null {
      const index = store.indexOf(id);
      return index > start && index < end ? toPiece(`${name}+${index - start}`, store, index, end) : null;
    },
    holds({ start, end }: ScanPiece, id: string): boolean {
      const index = store.indexOf(id);
      return index >= start && index < end;
    },
    /** Returns the pieces with the best passages, best first. May return more than `count`. Throws `limit-fetches`. */
    async rank(query: string, pieces: readonly ScanPiece[], count: number): Promise<readonly ScanPiece[]> {
      budget.takeFetch();
      const limit = Math.min(store.chunkCount, count * looksPerPiece);
      const best = await retriever.retrieve({ text: query, limit, maxBytes: mostLookedAtBytes }, signal);
      const holders = new Array<ScanPiece>(store.chunkCount);
      for (const piece of pieces) holders.fill(piece, piece.start, piece.end);
      return [...new Set(best.map(({ id }) => holders[store.indexOf(id)]!))];
    },
  };
}
