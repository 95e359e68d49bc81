import { sha256 } from '../../base/sha256.ts';
import type { DocumentInfo, Passage } from '../../state.ts';
import type { Chunk, ContextStore } from '../document.ts';
import { offsetAfter } from '../lines.ts';
import { passageHash, passageIdOf } from '../passage-id.ts';
import type { LineRange } from '../shown-text.ts';
import { createContextStore, type GrowingStore, type StoreOptions } from './store.ts';

/** The place in the whole document where a view's document begins, even if the view is of another view. */
interface Origin {
  readonly source: string;
  readonly startByte: number;
  /** From 1. */
  readonly startLine: number;
}

/** A store of some chunks of another store. Whole chunks keep their numbers; passages keep their place in the text. */
export interface ContextView extends ContextStore {
  origin(document: number): Origin;
}

interface Stretch {
  readonly document: number;
  readonly startByte: number;
  readonly startLine: number;
  endByte: number;
  endLine: number;
}

const infoOf = (info: DocumentInfo, { startByte, endByte, startLine, endLine }: Stretch): DocumentInfo => {
  const isWhole = startByte === 0 && endByte === info.bytes;
  const name = isWhole ? info.name : `${info.name} lines ${startLine}-${endLine}`;
  return { name, bytes: endByte - startByte, lines: endLine - startLine + 1 };
};

/** A chunk of the viewed store, and the part of it in the view. */
interface ViewedChunk {
  readonly whole: Chunk;
  readonly part: Chunk;
}

/** Cuts a chunk to a range of lines. A part of a chunk has its own passage id. */
function cutChunk(store: ContextStore, whole: Chunk, lines: LineRange | undefined): ViewedChunk {
  if (lines === undefined) return { whole, part: whole };
  const { source, startLine, endLine } = store.passageWithoutOverlap(whole);
  const first = Math.max(startLine, lines.startLine);
  const last = Math.min(endLine, lines.endLine);
  if (first === startLine && last === endLine) return { whole, part: whole };
  const bytes = store.read(whole.document, whole.startByte, whole.endByte);
  const [from, to] = [offsetAfter(bytes, first - startLine), offsetAfter(bytes, last - startLine + 1)];
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  const part = {
    ...whole,
    number: Number(passageIdOf(source, first, text).slice(1)),
    startLine: whole.startLine + first - startLine,
    endLine: whole.startLine + last - startLine,
    startByte: whole.startByte + from,
    endByte: whole.startByte + to,
  };
  return { whole, part };
}

function passageOf(store: ContextStore, { whole, part }: ViewedChunk): Passage {
  const passage = store.passageWithoutOverlap(whole);
  if (part === whole) return passage;
  const text = new TextDecoder().decode(store.read(part.document, part.startByte, part.endByte));
  return {
    ...passage,
    id: `P${part.number}`,
    text,
    hash: passageHash(text),
    startLine: passage.startLine + part.startLine - whole.startLine,
    endLine: passage.startLine + part.endLine - whole.startLine,
    startByte: passage.startByte + part.startByte - whole.startByte,
    endByte: passage.startByte + part.endByte - whole.startByte,
  };
}

/** Joins neighbouring chunks into stretches. `holders`: for each chunk, the index of its stretch. */
function joinNeighbours(chunks: readonly Chunk[]) {
  const stretches: Stretch[] = [];
  const holders = chunks.map(({ document, startByte, endByte, startLine, endLine }) => {
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
 * Creates the view of the chunks with these indexes.
 * @param lines if given, the view contains only these lines of the whole document.
 */
export function createView(store: ContextStore, chunks: readonly number[], lines?: LineRange): ContextView {
  const indexes = [...new Set(chunks)].sort((a, b) => a - b);
  const viewed = indexes.map((index) => cutChunk(store, store.chunk(index), lines));
  const { stretches, holders } = joinNeighbours(viewed.map(({ part }) => part));
  const places = new Map(viewed.map(({ part }, place) => [`P${part.number}`, place]));
  const viewedAs = ({ number }: Chunk): ViewedChunk => viewed[places.get(`P${number}`)!]!;
  return {
    documents: stretches.map((stretch) => infoOf(store.documents[stretch.document]!, stretch)),
    chunkCount: indexes.length,
    totalBytes: stretches.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0),
    origin: (document) => originOf(store, stretches[document]!),
    chunk(place) {
      const { startByte, startLine } = stretches[holders[place]!]!;
      const { part } = viewed[place]!;
      return {
        number: part.number,
        document: holders[place]!,
        startByte: part.startByte - startByte,
        endByte: part.endByte - startByte,
        startLine: part.startLine - startLine + 1,
        endLine: part.endLine - startLine + 1,
      };
    },
    indexOf: (id) => places.get(id) ?? -1,
    read(document, startByte, endByte, room) {
      const stretch = stretches[document]!;
      const end = Math.min(stretch.endByte, stretch.startByte + endByte);
      return store.read(stretch.document, stretch.startByte + startByte, end, room);
    },
    text(chunk) {
      const { whole, part } = viewedAs(chunk);
      return part === whole ? store.text(whole) : passageOf(store, { whole, part }).text;
    },
    passageWithoutOverlap: (chunk) => passageOf(store, viewedAs(chunk)),
    // The passage has no overlap, because the text before the chunk may be outside the view.
    passage: (chunk, score) => ({ ...passageOf(store, viewedAs(chunk)), score }),
  };
}

/** The lowest passage number in a text that a run produced. All other passages have lower numbers. */
const firstOwnNumber = 1_000_000_000_000;
const mostChunks = 100_000;

/** Creates a store of a text that a run produced. Close it when the run ends. */
export function createOwnText(name: string, text: string, options: StoreOptions): GrowingStore {
  const store = createContextStore([{ name, bytes: Buffer.from(text) }], options);
  const hash = sha256(JSON.stringify([name, text]), 8);
  const offset = firstOwnNumber + Number.parseInt(hash, 16) * mostChunks;
  const renamed = (chunk: Chunk): Chunk => ({ ...chunk, number: chunk.number - offset });
  return {
    ...store,
    chunk(index) {
      const chunk = store.chunk(index);
      return { ...chunk, number: offset + chunk.number };
    },
    indexOf: (id) => store.indexOf(`P${Number(id.slice(1)) - offset}`),
    passageWithoutOverlap: (chunk) => ({ ...store.passageWithoutOverlap(renamed(chunk)), id: `P${chunk.number}` }),
    passage: (chunk, score) => ({ ...store.passage(renamed(chunk), score), id: `P${chunk.number}` }),
  };
}
