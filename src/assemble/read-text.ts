import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { indexesFolder, stateFolder } from '../config/folders.ts';
import type { Environment } from '../config/setting-layers.ts';
import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { bytesOf } from '../context/text-size.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument, Inputs, ReadingProgress } from '../inputs/gather-inputs.ts';
import { countingReader, type ScanReader } from '../inputs/pictures.ts';
import type { LexicalRetriever } from '../retrievers/lexical/retriever.ts';
import type { AskedIndex, DocumentInfo } from '../state.ts';

interface TextOptions {
  readonly paths?: readonly string[];
  /** Files that the program writes during the run; they are not read. */
  readonly written?: readonly string[];
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  readonly index?: string;
  readonly onReading?: (progress: ReadingProgress) => void;
  /** Called at the first page that is a picture. If absent, such pages are only counted. */
  readonly scans?: () => Promise<ScanReader>;
  readonly cwd: string;
  readonly env: Environment;
}

/** The text of a run, with the part of its word index that was built while reading. */
export interface ReadText {
  readonly inputs: Inputs;
  /** Null: indexing has not begun. */
  readonly index: LexicalRetriever | null;
  /** The sources that were read, other than given documents: files, folders, globs and addresses. */
  readonly paths: readonly string[];
  readonly asked: AskedIndex | null;
  close(): void;
}

/** Text of at least this size, in bytes, is indexed while it is read. */
const eagerBytes = 8_000_000;

async function createLargeIndex(store: ContextStore): Promise<LexicalRetriever> {
  const [{ createLexicalRetriever }, { shippedRanking }, { createThreadedBuilder }] = await Promise.all([
    import('../retrievers/lexical/retriever.ts'),
    import('../retrievers/lexical/ranking.ts'),
    import('../retrievers/lexical/thread/counting-thread.ts'),
  ]);
  if (availableParallelism() < 2) return createLexicalRetriever(store);
  return createLexicalRetriever(store, shippedRanking, createThreadedBuilder());
}

const twoSources = (name: string, other: string) =>
  new RlmError('usage', `the index "${name}" and ${other} cannot be given together`, {
    hint: `Name one of the two, or add the files to the index: rlm index add PATHS… --name ${name}`,
  });

/** Whether a given document is empty, such as the document of a pipe without data. */
async function isEmpty({ text }: GivenDocument): Promise<boolean> {
  if (typeof text === 'string' || text instanceof Uint8Array) return text.length === 0;
  for await (const piece of text) if (piece.length > 0) return false;
  return true;
}

function readyText(store: ContextStore, close: () => void, more: Pick<ReadText, 'index' | 'asked'>): ReadText {
  return { ...more, inputs: { store, unreadPages: 0, givenCount: 0, warnings: [], close }, paths: [], close };
}

async function readIndex(
  name: string,
  options: TextOptions,
  settings: Settings,
  signal: AbortSignal,
): Promise<ReadText> {
  const { paths = [], documents = [], env } = options;
  const { openIndex } = await import('../indexes/open-index.ts');
  if (paths.length > 0) throw twoSources(name, paths.join(', '));
  const overlapBytes = bytesOf(settings.context.overlapTokens);
  const opened = openIndex(indexesFolder(stateFolder(settings, env)), name, overlapBytes);
  try {
    if (opened.store.documents.length === 0)
      throw new RlmError('no-text', `the index "${name}" holds no documents`, {
        hint: `To add some: rlm index add PATHS… --name ${name}`,
      });
    for (const given of typeof documents === 'function' ? await documents(signal) : documents) {
      if (!(await isEmpty(given))) throw twoSources(name, given.name);
    }
  } catch (error) {
    opened.close();
    throw error;
  }
  return readyText(opened.store, opened.close, { index: opened.retriever, asked: opened.asked });
}

/** Returns an empty text. First yields to the event loop once, so that a request can go out. */
async function readNothing(): Promise<ReadText> {
  await setImmediate();
  const { createContextStore } = await import('../context/store/store.ts');
  const store = createContextStore();
  return readyText(store, store.close, { index: null, asked: null });
}

/**
 * Reads all text, or opens the index that contains it.
 * @param isIndexed whether the text will be searched by words.
 * @throws RlmError as `gatherInputs` does. If an index is given, throws as `openIndex` does, `no-text` if the index is
 *   empty, or `usage` if other text is given as well.
 */
export async function readText(
  options: TextOptions,
  settings: Settings,
  isIndexed: boolean,
  signal: AbortSignal,
): Promise<ReadText> {
  if (options.index !== undefined) return readIndex(options.index, options, settings, signal);
  const { paths = [], written = [], documents = [], scans = async () => countingReader, onReading, cwd } = options;
  const given = typeof documents === 'function' ? documents(signal) : Promise.resolve(documents);
  given.catch(() => {}); // `given` may reject before gatherInputs awaits it and reports the error.
  if (paths.length === 0 && (await given).length === 0) return readNothing();
  const { gatherInputs } = await import('../inputs/gather-inputs.ts');
  let index: LexicalRetriever | null = null;
  const advance = async (store: ContextStore) => {
    index ??= await createLargeIndex(store);
    await index.advance(signal);
  };
  const onProgress = (progress: ReadingProgress, store: ContextStore) => {
    onReading?.(progress);
    return isIndexed && store.totalBytes >= eagerBytes ? advance(store) : undefined;
  };
  const loadScanReader = settings.visionModel === 'off' ? null : scans;
  const sources = { paths, excludedFiles: written, givenDocuments: given, loadScanReader, cwd };
  const { chunking: kind, chunkTokens, overlapTokens } = settings.context;
  const store = { kind, chunkBytes: bytesOf(chunkTokens), overlapBytes: bytesOf(overlapTokens) };
  try {
    const inputs = await gatherInputs({ ...sources, settings: settings.inputs, store, onProgress, signal });
    const close = () => {
      inputs.close();
      index?.close();
    };
    return { inputs, index, paths, asked: null, close };
  } catch (error) {
    (index as LexicalRetriever | null)?.close();
    throw error;
  }
}

/** Text that `openContext` has opened, for use by `ask`. */
export interface OpenedText {
  /** All documents, in the order in which they were read. */
  readonly documents: readonly DocumentInfo[];
}

interface Holding {
  readonly cwd: string;
  /** Returns the text for one more user. The text is freed after every user has closed it. */
  readonly take: () => ReadText;
  readonly closeOwn: () => void;
}

const holdings = new WeakMap<OpenedText, Holding>();

/**
 * Registers text for `sharedText`, until `closeOpened` is called.
 * @param cwd the base folder of its relative paths.
 */
export function shareText(text: OpenedText, read: ReadText, cwd: string): void {
  let users = 0;
  const take = (): ReadText => {
    users += 1;
    let isUsed = true;
    const close = () => {
      if (!isUsed) return;
      isUsed = false;
      users -= 1;
      if (users === 0) read.close();
    };
    return { ...read, close };
  };
  holdings.set(text, { cwd, take, closeOwn: take().close });
}

/** Returns the base folder of opened text. Null when the text is closed or not from `openContext`. */
export const folderOf = (text: OpenedText): string | null => holdings.get(text)?.cwd ?? null;

/**
 * Returns the text of an opened context for one run. Closing the returned text does not affect other runs.
 * @throws RlmError `usage` for a text that is closed or not from `openContext`.
 */
export function sharedText(text: OpenedText): ReadText {
  const holding = holdings.get(text);
  if (holding !== undefined) return holding.take();
  throw new RlmError('usage', 'the option "context" must be a result of openContext that is not closed');
}

/** Frees the text as soon as no run uses it. */
export function closeOpened(text: OpenedText): void {
  holdings.get(text)?.closeOwn();
  holdings.delete(text);
}
