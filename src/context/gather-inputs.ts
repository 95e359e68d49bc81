import { resolve } from 'node:path';
import { RlmError } from '../errors.ts';
import type { Encoding } from './decode.ts';
import type { ContextStore } from './document.ts';
import { createInputTotal } from './input-total.ts';
import { type Reading, type ReadingProgress, readDocument } from './read-document.ts';
import { type ByteSource, readHead } from './read-file.ts';
import type { Skipped } from './skipped.ts';
import { createContextStore, type GrowingStore, type StoreOptions } from './store.ts';

export type { ReadingProgress };

/** Text given by a program. */
export interface GivenDocument {
  /** What citations call it. */
  readonly name: string;
  /** Whole, or as it comes; a piece is not changed before the next one is asked for. */
  readonly text: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Of bytes without a byte order mark; default: the setting `inputs.encoding`. */
  readonly encoding?: Encoding;
}

/** All text of a run, and what was noticed while it was read. */
export interface Inputs {
  readonly store: ContextStore;
  /** How many of the documents, the first ones, were given and are in no file. */
  readonly given: number;
  readonly warnings: readonly string[];
  /** Lets go of the text. */
  close(): void;
}

interface GatherOptions {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  /** Files that the run itself writes, which are not read. */
  readonly written: readonly string[];
  readonly given: Promise<readonly GivenDocument[]>;
  readonly cwd: string;
  /** Of all text together, in bytes. */
  readonly maxBytes: number;
  /** Of bytes without a byte order mark. */
  readonly encoding: Encoding;
  readonly store: StoreOptions;
  /** Told how far reading has come, with the text so far; reading goes on when it is done. */
  readonly onProgress: (progress: ReadingProgress, store: ContextStore) => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

const namedPerReason = 3;

function countReason(reason: string, names: readonly string[]): string {
  const shown = names.slice(0, namedPerReason).join(', ');
  return `${names.length} ${reason} (${shown}${names.length > namedPerReason ? ', …' : ''})`;
}

/** `2 binary (logo.png, a.zip), 1 empty (x.txt)`. */
function countSkipped(skipped: readonly Skipped[]): string {
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of skipped) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, names]) => countReason(reason, names)).join(', ');
}

function nothingReadable(paths: readonly string[], skipped: readonly Skipped[]): RlmError {
  const why = skipped.length > 0 ? `: ${countSkipped(skipped)}` : '';
  return new RlmError('input-empty', `there is no readable text in ${paths.join(', ')}${why}`, {
    hint: 'Name text files. Folders leave out hidden files and what .gitignore and .rlmignore ignore; a file named itself is always read.',
  });
}

async function findPaths({ paths, written, cwd, signal }: GatherOptions) {
  if (paths.length === 0) return { inputs: [], skipped: [], warnings: [] };
  const { findInputs } = await import('./find-inputs.ts');
  return findInputs({ paths, written, cwd: resolve(cwd), signal });
}

function sourceOf({ text }: GivenDocument, signal: AbortSignal): ByteSource | Promise<ByteSource> {
  const close = () => {};
  const whole = (head: Uint8Array) => ({ head, bytes: null, rest: null, close });
  if (typeof text === 'string') return whole(Buffer.from(text));
  return text instanceof Uint8Array ? whole(text) : readHead(text, close, signal);
}

async function readGiven(given: GatherOptions['given'], reading: Reading, signal: AbortSignal) {
  const outcomes = [];
  for (const one of await given) {
    // What is a string is UTF-8 here.
    const encoding = typeof one.text === 'string' ? 'utf-8' : (one.encoding ?? reading.encoding);
    const told = () => reading.onProgress({ files: outcomes.length, bytes: reading.total.bytes() });
    outcomes.push(await readDocument(one.name, await sourceOf(one, signal), { ...reading, encoding }, told));
  }
  return {
    names: (await given).map(({ name }) => name),
    skipped: outcomes.flatMap(({ skipped }) => skipped ?? []),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  };
}

async function readFiles(found: Awaited<ReturnType<typeof findPaths>>, reading: Reading, signal: AbortSignal) {
  if (found.inputs.length === 0) return found;
  const { readInputs } = await import('./read-inputs.ts');
  return readInputs(found, reading, signal);
}

async function gather(options: GatherOptions, store: GrowingStore): Promise<Inputs> {
  const { encoding, maxBytes, onProgress, signal, paths } = options;
  const total = createInputTotal(maxBytes);
  const reading: Reading = { store, encoding, total, onProgress: (progress) => onProgress(progress, store) };
  // What does not exist is said before a slow pipe has come to its end.
  const [given, found] = await Promise.all([readGiven(options.given, reading, signal), findPaths(options)]);
  const count = store.documents.length;
  const read = await readFiles(found, reading, signal);
  const skipped = [...given.skipped, ...read.skipped];
  const named = [...given.names, ...paths];
  if (store.documents.length === 0 && named.length > 0) throw nothingReadable(named, skipped);
  const notes = skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : [];
  return { store, given: count, warnings: [...given.warnings, ...read.warnings, ...notes], close: store.close };
}

/**
 * Reads all text of a run: what a program gives, such as piped text, and then the files, each once.
 * @throws RlmError as `findInputs` and `readInputs` do, and `input-empty` when something was named and nothing is readable.
 */
export async function gatherInputs(options: GatherOptions): Promise<Inputs> {
  const store = createContextStore([], options.store);
  return gather(options, store).catch((error: unknown) => {
    store.close();
    throw error;
  });
}
