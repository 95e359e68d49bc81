import { resolve } from 'node:path';
import { untilAborted } from '../base/abort.ts';
import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { createContextStore, type GrowingStore, type StoreOptions } from '../context/store/store.ts';
import type { DocumentInfo } from '../state.ts';
import type { Encoding } from './decode.ts';
import { createDistinctNames } from './distinct-names.ts';
import type { Address } from './fetch-url.ts';
import { createInputTotal } from './input-total.ts';
import { collectScans, type Scan, type ScanReader } from './pictures.ts';
import { readDocument } from './read-document.ts';
import { type ByteSource, readHead, wholeSource } from './read-file.ts';
import { type InputReading, joinOutcomes, type OnPiece, type ReadingProgress, type ReadOutcome } from './reading.ts';
import { countSkipped, nothingReadable, refuseSkipped } from './skipped.ts';
import { isUrl } from './urls.ts';
import { writeText } from './write-text.ts';

export type { ReadingProgress };

export interface GivenDocument extends Pick<DocumentInfo, 'isExtracted'> {
  /** A second `notes.md` is called `notes (2).md`. */
  readonly name: string;
  /**
   * The whole text, or an iterable of pieces. A piece's buffer may be reused when the next piece is requested. Text is
   * extracted from known formats.
   */
  readonly text: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Encoding of bytes without a byte order mark. If set, the bytes are read as plain text. Default: detected. */
  readonly encoding?: Encoding;
  /** Whether the document was found below a folder. If so, it is not read as a picture. Default: no. */
  readonly isWalked?: boolean;
}

/** Documents with pictures that no model has read yet. */
export interface PendingScans {
  readonly scans: readonly Scan[];
  /** Stores the text that a model read in one of `scans`. Throws `input-too-large`, `no-space`. */
  write(name: string, text: string): Promise<ReadOutcome>;
}

/** All text of a run, and the warnings about its sources. */
export interface Inputs {
  readonly store: ContextStore;
  /** Absent when no document needs a model. */
  readonly pending?: PendingScans;
  /** Number of pages without text that no model reads. */
  readonly unreadPages: number;
  /** Number of documents that a program gave. They come first in the store, and `paths` does not name them. */
  readonly givenCount: number;
  readonly warnings: readonly string[];
  close(): void;
}

interface GatherOptions {
  /** Files, folders, globs and addresses of pages. */
  readonly paths: readonly string[];
  readonly excludedFiles: readonly string[];
  readonly givenDocuments: Promise<readonly GivenDocument[]>;
  readonly cwd: string;
  readonly settings: Settings['inputs'];
  readonly store: StoreOptions;
  /** Called for the first page that is a picture. Null: pages that are pictures are neither read nor counted. */
  readonly loadScanReader: (() => Promise<ScanReader>) | null;
  /** Called as reading progresses. If it returns a promise, reading waits for that promise. */
  readonly onProgress: (progress: ReadingProgress, store: ContextStore) => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

async function findPaths({ paths, excludedFiles, cwd, signal }: GatherOptions) {
  const files = paths.filter((path) => !isUrl(path));
  if (files.length === 0) return { inputs: [], skipped: [], warnings: [] };
  const { findInputs } = await import('./find/find-inputs.ts');
  return findInputs({ paths: files, excludedFiles, cwd: resolve(cwd), signal });
}

async function findUrls({ paths, settings }: GatherOptions) {
  const urls = paths.filter(isUrl);
  if (urls.length === 0) return [];
  const { checkUrl } = await import('./fetch-url.ts');
  return urls.map((url) => checkUrl(url, settings.allowUrls));
}

function sourceOf({ text }: GivenDocument, signal: AbortSignal): ByteSource | Promise<ByteSource> {
  if (typeof text === 'string') return wholeSource(Buffer.from(text));
  return text instanceof Uint8Array ? wholeSource(text) : readHead(text, () => {}, signal);
}

async function readOneGiven(one: GivenDocument, reading: InputReading, onPiece: OnPiece): Promise<ReadOutcome> {
  const source = await sourceOf(one, reading.signal);
  // Strings were encoded as UTF-8.
  const encoding = typeof one.text === 'string' ? 'utf-8' : one.encoding;
  if (encoding === undefined)
    return readDocument(one.name, source, { ...reading, takesPictures: one.isWalked !== true }, onPiece);
  return writeText(one.name, source, { ...reading, encoding, isExtracted: one.isExtracted }, onPiece);
}

async function readEach<Source extends { readonly name: string }>(
  sources: readonly Source[],
  { onProgress, store, total, signal }: InputReading,
  read: (source: Source, onPiece: OnPiece) => Promise<ReadOutcome>,
): Promise<ReadOutcome> {
  const outcomes: ReadOutcome[] = [];
  const before = store.documents.length;
  for (const source of sources) {
    signal.throwIfAborted();
    const progress = () => ({ files: before + outcomes.length, bytes: total.bytes() });
    const onPiece = () => onProgress({ ...progress(), name: source.name });
    await onPiece();
    outcomes.push(await read(source, onPiece));
    await onProgress(progress());
  }
  return joinOutcomes(outcomes);
}

async function readGiven(given: GatherOptions['givenDocuments'], reading: InputReading) {
  const distinct = createDistinctNames();
  const documents = (await untilAborted(given, reading.signal)).map((one) => ({ ...one, name: distinct(one.name) }));
  const outcome = await readEach(documents, reading, (one, onPiece) => readOneGiven(one, reading, onPiece));
  return { names: documents.map(({ name }) => name), ...outcome };
}

async function readFiles(found: Awaited<ReturnType<typeof findPaths>>, reading: InputReading): Promise<ReadOutcome> {
  if (found.inputs.length === 0) return found;
  const { readInputs } = await import('./read-inputs.ts');
  return readInputs(found, reading);
}

async function readUrls(addresses: readonly Address[], reading: InputReading): Promise<ReadOutcome> {
  if (addresses.length === 0) return joinOutcomes([]);
  const { readUrl } = await import('./fetch-url.ts');
  return readEach(addresses, reading, (address) => readUrl(address, reading));
}

async function gather(options: GatherOptions, store: GrowingStore): Promise<Inputs> {
  const { settings, onProgress, paths } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const { scans, takeScan, notes: scanNotes, unread } = collectScans(options.loadScanReader, signal);
  const reading: InputReading = {
    store,
    encoding: settings.encoding,
    total: createInputTotal(settings.maxBytes),
    maxUnpackRatio: settings.maxUnpackRatio,
    readTimeoutMs: settings.readTimeout * 1000,
    takeScan,
    takesPictures: true,
    onProgress: (progress) => onProgress(progress, store),
    signal,
  };
  // These steps run concurrently, so that a missing file is reported before a slow pipe has ended.
  const finding = [
    readGiven(options.givenDocuments, reading),
    findPaths({ ...options, signal }),
    findUrls(options),
  ] as const;
  const [given, found, addresses] = await Promise.all(finding).catch(async (error: unknown) => {
    failed.abort(error);
    await Promise.allSettled(finding); // Waits, because these steps write into the store, which the caller closes.
    throw error;
  });
  const count = store.documents.length;
  const read = joinOutcomes([await readFiles(found, reading), await readUrls(addresses, reading)]);
  const skipped = [...given.skipped, ...read.skipped];
  if (settings.strict) refuseSkipped(skipped);
  const named = [...given.names, ...paths];
  if (store.documents.length + scans.length === 0 && named.length > 0)
    throw nothingReadable(named, skipped, scanNotes());
  const notes = [...(skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : []), ...scanNotes()];
  const warnings = [...given.warnings, ...read.warnings, ...notes];
  const write = (name: string, text: string) =>
    writeText(name, wholeSource(Buffer.from(text)), { ...reading, encoding: 'utf-8', isExtracted: true }, null);
  const pending = scans.length > 0 ? { pending: { scans, write } } : {};
  return { store, ...pending, unreadPages: unread(), givenCount: count, warnings, close: store.close };
}

/**
 * Reads all text of a run: the documents that a program gives, such as piped text; then each file once; then the pages
 * at addresses.
 * @throws the errors of `findInputs`, `checkUrl`, `readInputs` and `readUrl`; `input-empty` when something was named
 *   and nothing is readable; `input-unreadable` when a file was skipped and the settings are strict.
 */
export async function gatherInputs(options: GatherOptions): Promise<Inputs> {
  const store = createContextStore([], options.store);
  return gather(options, store).catch((error: unknown) => {
    store.close();
    throw error;
  });
}
