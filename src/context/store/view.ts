import { createHash } from 'node:crypto';
import type { DocumentInfo } from '../../state.ts';
import type { Chunk, ContextStore } from '../document.ts';
import { createContextStore, type GrowingStore, type StoreOptions } from './store.ts';

/** The place of a view's document in the whole text, also through a view of a view. */
interface Origin {
  /** The document's name there. */
  readonly source: string;
  readonly startByte: number;
  /** Number of its first line there, from 1. */
  readonly startLine: number;
}

/**
 * A part of a store, as a store. Neighbouring chunks are a document of their own, whose lines and bytes count from its
 * beginning. Its chunks keep the numbers and its passages the places of the whole, so that citations of them are valid
 * there.
 */
export interface ContextView extends ContextStore {
  origin(document: number): Origin;
}

/** Neighbouring chunks of one document. */
interface Stretch {
  /** Index of the document in the store that the view is of. */
  readonly document: number;
  readonly startByte: number;
  readonly startLine: number;
  endByte: number;
  endLine: number;
}

const rangeOf = (info: DocumentInfo, { startByte, endByte, startLine, endLine }: Stretch): DocumentInfo => {
  const isWhole = startByte === 0 && endByte === info.bytes;
  const name = isWhole ? info.name : `${info.name} lines ${startLine}-${endLine}`;
  return { name, bytes: endByte - startByte, lines: endLine - startLine + 1 };
};

/** Returns the stretches of some chunks, and for each chunk the number of its stretch. */
function joinNeighbours(store: ContextStore, indexes: readonly number[]) {
  const stretches: Stretch[] = [];
  const holders = indexes.map((index) => {
    const { document, startByte, endByte, startLine, endLine } = store.chunk(index);
    const last = stretches.at(-1);
    if (last?.document === document && last.endByte === startByte) Object.assign(last, { endByte, endLine });
    else stretches.push({ document, startByte, startLine, endByte, endLine });
    return stretches.length - 1;
  });
  return { stretches, holders };
}

function originOf(store: ContextStore & Partial<ContextView>, { document, startByte, startLine }: Stretch): Origin {
  const base = store.origin?.(document) ?? { source: store.documents[document]!.name, startByte: 0, startLine: 1 };
  return { ...base, startByte: base.startByte + startByte, startLine: base.startLine + startLine - 1 };
}

/**
 * Creates the view of some chunks of a store.
 * @param chunks indexes into the store's chunks, in any order.
 */
export function createView(store: ContextStore, chunks: readonly number[]): ContextView {
  const indexes = [...new Set(chunks)].sort((a, b) => a - b);
  const { stretches, holders } = joinNeighbours(store, indexes);
  const places = new Map(indexes.map((index, place) => [index, place]));
  const wholeOf = ({ number }: Chunk): Chunk => store.chunk(store.indexOf(`P${number}`));
  return {
    documents: stretches.map((stretch) => rangeOf(store.documents[stretch.document]!, stretch)),
    chunkCount: indexes.length,
    totalBytes: stretches.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0),
    origin: (document) => originOf(store, stretches[document]!),
    chunk(place) {
      const { startByte, startLine } = stretches[holders[place]!]!;
      const whole = store.chunk(indexes[place]!);
      return {
        number: whole.number,
        document: holders[place]!,
        startByte: whole.startByte - startByte,
        endByte: whole.endByte - startByte,
        startLine: whole.startLine - startLine + 1,
        endLine: whole.endLine - startLine + 1,
      };
    },
    indexOf: (id) => places.get(store.indexOf(id)) ?? -1,
    read(document, startByte, endByte, room) {
      const stretch = stretches[document]!;
      const end = Math.min(stretch.endByte, stretch.startByte + endByte);
      return store.read(stretch.document, stretch.startByte + startByte, end, room);
    },
    text: (chunk) => store.text(wholeOf(chunk)),
    plainPassage: (chunk) => store.plainPassage(wholeOf(chunk)),
    // Without overlap: the text before the chunk may not belong to the view.
    passage: (chunk, score) => ({ ...store.plainPassage(wholeOf(chunk)), score }),
  };
}

/** Numbers of other chunks are smaller than this, also those of passages of a search server. */
const firstOwnNumber = 1_000_000_000_000;
const mostChunks = 100_000;

/**
 * Creates a store of a text that was made in a run. Its passages' ids follow from the name and the text, and are no
 * other text's. Close it when the run is over.
 */
export function createOwnText(
  name: string,
  text: string,
  options: StoreOptions,
): ContextStore & Pick<GrowingStore, 'close'> {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }], options);
  const hash = createHash('sha256')
    .update(JSON.stringify([name, text]))
    .digest('hex');
  const before = firstOwnNumber + Number.parseInt(hash.slice(0, 8), 16) * mostChunks;
  const renamed = (chunk: Chunk): Chunk => ({ ...chunk, number: chunk.number - before });
  return {
    documents: store.documents,
    chunkCount: store.chunkCount,
    totalBytes: store.totalBytes,
    read: store.read,
    chunk(index) {
      const chunk = store.chunk(index);
      return { ...chunk, number: before + chunk.number };
    },
    indexOf: (id) => store.indexOf(`P${Number(id.slice(1)) - before}`),
    text: store.text,
    plainPassage: (chunk) => ({ ...store.plainPassage(renamed(chunk)), id: `P${chunk.number}` }),
    passage: (chunk, score) => ({ ...store.passage(renamed(chunk), score), id: `P${chunk.number}` }),
    close: store.close,
  };
}
