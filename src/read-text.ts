import type { TextIndex } from './choose-retriever.ts';
import type { Settings } from './config/settings.ts';
import type { ContextStore } from './context/document.ts';
import type { GivenDocument, Inputs, ReadingProgress } from './context/gather-inputs.ts';
import { bytesOf } from './run/window.ts';

/** What to read. */
export interface TextOptions {
  /** Files, folders and globs, relative to `cwd`. */
  readonly paths?: readonly string[];
  /** Files that the program writes meanwhile, which are not read. */
  readonly written?: readonly string[];
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  readonly onReading?: (progress: ReadingProgress) => void;
  readonly cwd: string;
}

/** All text, and what of its index was made while it was read. */
export interface Read {
  readonly inputs: Inputs;
  readonly index: TextIndex | null;
}

/** Lets go of the text and its index. */
export function closeRead({ inputs, index }: Read): void {
  inputs.close();
  index?.close();
}

/** A larger text is indexed while it comes in, so that little is left to do when it is there. In bytes. */
const eagerBytes = 8_000_000;

interface GrowingIndex {
  get(): TextIndex | null;
  advance(store: ContextStore): Promise<void>;
}

function createGrowingIndex(signal: AbortSignal): GrowingIndex {
  let index: TextIndex | null = null;
  return {
    get: () => index,
    advance: async (store) => {
      const { createTextIndex } = await import('./choose-retriever.ts');
      index ??= createTextIndex(store);
      await index.advance(signal);
    },
  };
}

/** Without the readers, which would keep the first request waiting. */
async function readNothing(): Promise<Read> {
  const { createContextStore } = await import('./context/store.ts');
  const store = createContextStore();
  return { inputs: { store, given: 0, warnings: [], close: store.close }, index: null };
}

/**
 * Reads all text. The readers are loaded when there is something to read.
 * @param isIndexed whether it will be searched by words.
 * @throws RlmError as `gatherInputs` does.
 */
export async function readText(
  { paths = [], written = [], documents = [], onReading, cwd }: TextOptions,
  { inputs: { maxBytes, encoding }, context }: Settings,
  isIndexed: boolean,
  signal: AbortSignal,
): Promise<Read> {
  const given = typeof documents === 'function' ? documents(signal) : Promise.resolve(documents);
  given.catch(() => {}); // It may fail before gatherInputs waits for it; that will then say so.
  if (paths.length === 0 && (await given).length === 0) return readNothing();
  const { gatherInputs } = await import('./context/gather-inputs.ts');
  const index = createGrowingIndex(signal);
  const onProgress = (progress: ReadingProgress, store: ContextStore) => {
    onReading?.(progress);
    return isIndexed && store.totalBytes >= eagerBytes ? index.advance(store) : undefined;
  };
  const sources = { paths, written, given, cwd };
  const { chunking: kind, chunkTokens, overlapTokens } = context;
  const store = { kind, chunkBytes: bytesOf(chunkTokens), overlapBytes: bytesOf(overlapTokens) };
  try {
    const inputs = await gatherInputs({ ...sources, maxBytes, encoding, store, onProgress, signal });
    return { inputs, index: index.get() };
  } catch (error) {
    index.get()?.close();
    throw error;
  }
}
