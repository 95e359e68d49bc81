import { readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { counted, grouped } from '../base/text.ts';
import { createPacer } from '../base/time.ts';
import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { hashText } from '../context/passage-id.ts';
import { createContextStore } from '../context/store/store.ts';
import { RlmError } from '../errors.ts';
import { type FoundInputs, findInputs, type Input } from '../inputs/find/find-inputs.ts';
import { parseGlob } from '../inputs/find/glob.ts';
import { diskView } from '../inputs/find/list-folder.ts';
import { isWithin, keyOfPath, posixRelative } from '../inputs/find/paths.ts';
import type { WatchedFolders } from '../inputs/find/watched-folders.ts';
import { createInputTotal } from '../inputs/input-total.ts';
import { collectScans, countingReader } from '../inputs/pictures.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import type { InputReading, ReadingProgress } from '../inputs/reading.ts';
import { refuseSkipped, type Skipped } from '../inputs/skipped.ts';
import { isUrl, shownUrl } from '../inputs/urls.ts';
import type { IndexedFile, Manifest, ReadingTerms } from './manifest.ts';

interface Places {
  readonly cwd: string;
  /** Paths that the index already has: a missing one causes a warning. */
  readonly known: readonly string[];
  /** New paths: a missing one is an error. */
  readonly added: readonly string[];
  /** The folder of all indexes, which is not read as text. */
  readonly indexes: string;
  /** Null if no watcher runs. */
  readonly watched: WatchedFolders | null;
}

/** Two changes within this time, in ms, can leave the same time stamp. */
const restMs = 2_000;

/** Returns the size and times of a file. Null if it is missing or has changed within the last `restMs`. */
function stampOf({ path }: Input): string | null {
  try {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    const isFresh = Math.max(mtimeMs, ctimeMs) > Date.now() - restMs;
    return isFresh ? null : `${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return null;
  }
}

const noFile = (name: string) =>
  new RlmError('input-unreadable', `'${name}' is not a file; an index contains only files`, {
    hint: 'Save its text to a file first.',
  });

function beginLook({ cwd, known, watched }: Places): void {
  watched?.begin();
  for (const path of known) {
    watched?.expect(resolve(cwd, path));
    const glob = parseGlob(path, cwd);
    if (glob) watched?.expect(glob.folder);
  }
}

/** Returns the current files of an index. Throws errors of `findInputs`; `input-unreadable` for pipes and URLs. */
export async function findFiles(places: Places, signal: AbortSignal): Promise<FoundInputs> {
  const page = places.added.find(isUrl);
  if (page !== undefined) throw noFile(shownUrl(page));
  beginLook(places);
  const { cwd, known, added, watched } = places;
  const paths = [...known, ...added];
  const found = await findInputs({ paths, mayBeGone: known, cwd, view: watched ?? diskView, signal });
  const other = found.inputs.find(({ kind }) => kind !== 'file');
  if (other) throw noFile(other.name);
  const inputs = found.inputs.filter(({ path }) => !isWithin(path.toString(), places.indexes));
  return { ...found, inputs };
}

interface ChangeRequest {
  readonly reading: ReadingTerms;
  readonly known: ReadonlyMap<string, IndexedFile>;
  readonly inputs: Pick<Settings['inputs'], 'maxBytes' | 'maxUnpackRatio' | 'readTimeout' | 'strict'>;
  readonly notesPages: boolean;
  readonly onReading: (progress: ReadingProgress) => void;
  readonly watched: WatchedFolders | null;
  readonly signal: AbortSignal;
}

interface CurrentFile {
  readonly file: IndexedFile;
  /** Positions of the file's documents in the store; null if the index already has its text. */
  readonly read: readonly number[] | null;
}

export interface ChangedFiles {
  readonly files: readonly CurrentFile[];
  readonly store: ContextStore;
  /** Hashes of the new documents by their positions in the store. */
  readonly fresh: ReadonlyMap<number, string>;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  close(): void;
}

/** Temporary reasons: the next update tries the file again. */
const passing: readonly Skipped['reason'][] = ['unreadable', 'gone', 'too slow to read', 'decompression bomb'];

const isLasting = ({ reason }: Skipped): boolean => !passing.includes(reason);

/**
 * Reads the new and changed files of an index.
 * @throws the errors of `readInputs`; `input-unreadable` for a skipped file if the settings are strict; the signal's
 *   reason.
 */
export async function readChanged(found: FoundInputs, request: ChangeRequest): Promise<ChangedFiles> {
  const { reading: terms, inputs, watched, signal } = request;
  const store = createContextStore([], { kind: terms.kind, chunkBytes: terms.chunkBytes });
  const fresh = new Map<number, string>();
  const skipped = [...found.skipped];
  const warnings = [...found.warnings];
  const total = createInputTotal(inputs.maxBytes);
  const scans = collectScans(request.notesPages ? async () => countingReader : null, signal);
  const files: CurrentFile[] = [];
  const onProgress = () => void request.onReading({ files: files.length, bytes: total.bytes() });
  const reading: InputReading = {
    store,
    encoding: terms.encoding,
    total,
    maxUnpackRatio: inputs.maxUnpackRatio,
    readTimeoutMs: inputs.readTimeout * 1000,
    takeScan: scans.takeScan,
    takesPictures: true,
    onProgress: async () => onProgress(),
    signal,
  };
  const pace = createPacer(20);

  const keep = (file: IndexedFile): CurrentFile => {
    for (const { name, bytes } of file.documents) total.add(name, bytes);
    return { file, read: null };
  };

  async function read(input: Input, known: IndexedFile | undefined): Promise<CurrentFile> {
    // The stamp is taken before the file is read, so that the next update notices a later write.
    const stamp = stampOf(input);
    if (known && stamp !== null && known.stamp === stamp) return keep(known);
    const first = store.documents.length;
    const outcome = await readInputs({ inputs: [input], skipped: [], warnings: [] }, reading);
    skipped.push(...outcome.skipped);
    warnings.push(...outcome.warnings);
    const documents = Array.from({ length: store.documents.length - first }, (_, index) => first + index);
    const hashes = await Promise.all(documents.map((document) => hashText(store, document)));
    const lasting = outcome.skipped.every(isLasting) ? stamp : null;
    const isSame =
      known?.documents.length === documents.length &&
      known.documents.every(({ name }, index) => name === store.documents[first + index]!.name) &&
      known.documents.every(({ hash }, index) => hash === hashes[index]);
    if (isSame) return { file: { ...known, stamp: lasting }, read: null };
    for (const [index, document] of documents.entries()) fresh.set(document, hashes[index]!);
    return { file: { key: keyOfPath(input.path), name: input.name, stamp: lasting, documents: [] }, read: documents };
  }

  try {
    for (const input of found.inputs) {
      await pace();
      signal.throwIfAborted();
      const key = keyOfPath(input.path);
      const known = request.known.get(key);
      const isKnown = known?.name === input.name;
      files.push(isKnown && watched?.isSettled(key) ? keep(known) : await read(input, isKnown ? known : undefined));
      onProgress();
    }
    if (inputs.strict) refuseSkipped(skipped);
  } catch (error) {
    store.close();
    throw error;
  }
  return { files, store, fresh, skipped, warnings: [...warnings, ...scans.notes()], close: store.close };
}

/** Maximum share of the files that may be lost. A larger loss is probably an accident, such as an unmounted disk. */
const mostLost = 1 / 2;

const hasText = ({ documents }: IndexedFile): boolean => documents.length > 0;

function hashesIn({ files, fresh }: ChangedFiles): ReadonlySet<string> {
  const kept = files.flatMap(({ file, read }) => (read === null ? file.documents.map(({ hash }) => hash) : []));
  return new Set([...kept, ...fresh.values()]);
}

/** Returns the files that are missing now (`gone`), and these without moved or copied files (`lost`). */
function missingFiles(before: readonly IndexedFile[], changed: ChangedFiles) {
  const now = changed.files.filter(({ file, read }) => (read ?? file.documents).length > 0);
  const keys = new Set(now.map(({ file }) => file.key));
  const gone = before.filter(({ key }) => !keys.has(key));
  const hashes = gone.length === 0 ? null : hashesIn(changed);
  return { gone, lost: gone.filter(({ documents }) => !documents.every(({ hash }) => hashes!.has(hash))) };
}

function matcherOf(path: string, cwd: string): (file: IndexedFile) => boolean {
  const root = resolve(cwd, path);
  const glob = parseGlob(path, cwd);
  const isMatch = (key: string) =>
    glob !== null && isWithin(key, glob.folder) && glob.matches(posixRelative(glob.folder, key));
  return ({ key }) => isWithin(key, root) || isMatch(key);
}

function holdsFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** Whether a file was probably removed on purpose: its folder still holds other files. */
const isRemovedFile = (path: string, { key }: IndexedFile): boolean => key === path && holdsFiles(dirname(path));

function lostRoots({ cwd, paths }: Manifest, before: readonly IndexedFile[], missing: ReturnType<typeof missingFiles>) {
  const { gone, lost } = missing;
  return paths.filter((path) => {
    const isOfPath = matcherOf(path, cwd);
    const files = before.filter(isOfPath);
    const isGone = files.some((file) => lost.includes(file)) && files.every((file) => gone.includes(file));
    return isGone && !isRemovedFile(resolve(cwd, path), files[0]!);
  });
}

/**
 * Returns the lost files and an error if more than half of the files of an index, or all files of a path, are lost.
 * Otherwise returns null.
 * @param isAny whether to report a smaller loss, too.
 */
export function lossOf(name: string, manifest: Manifest, changed: ChangedFiles, isAny: boolean) {
  const before = manifest.files.filter(hasText);
  const missing = missingFiles(before, changed);
  const { lost: files } = missing;
  if (files.length === 0) return null;
  const roots = lostRoots(manifest, before, missing);
  if (!isAny && roots.length === 0 && files.length <= before.length * mostLost) return null;
  const where = roots.length === 0 ? '' : `: nothing is left of ${roots.join(', ')} (in ${manifest.cwd})`;
  const message = `the index "${name}" would lose ${grouped(files.length)} of its ${counted(before.length, 'file')}${where}`;
  const hint = `They are still in the index. Mount the disk or restore the files. To remove them from the index: rlm index update --name ${name} --force`;
  return { files, error: new RlmError('index-shrunk', message, { hint }) };
}

type Loss = NonNullable<ReturnType<typeof lossOf>>;

/** Keeps the lost files in the index as they were, with a warning. */
export function withLost(changed: ChangedFiles, { files, error }: Loss): ChangedFiles {
  const lost = new Set(files.map(({ key }) => key));
  const present = changed.files.filter(({ file }) => !lost.has(file.key));
  return {
    ...changed,
    files: [...present, ...files.map((file) => ({ file, read: null }))],
    warnings: [...changed.warnings, `${error.message}. ${error.hint}`],
  };
}
