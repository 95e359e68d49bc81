import { counted } from '../../base/text.ts';
import { documentKindOf } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { chunkAt } from '../../context/lines.ts';
import { passageHash, passageIdOf } from '../../context/passage-id.ts';
import { readBuffer } from '../../context/shown-text.ts';
import type { Passage } from '../../state.ts';
import { type FileText, fileTextOf, wholeFileBytes } from '../files/walls/file-text.ts';
import { type PathGlob, parsePathGlob } from '../files/walls/path-glob.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { type FoundFile, passedByNotes, type Walk } from '../files/walls/walk.ts';
import { checkOne, documentsNamed, isAll, noSuch, onlyStretch, plainPath, type Stretch, stretches } from '../places.ts';
import type { ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

/** Lines of a file as a tool read them, numbered as in the whole document. */
type FileLines = Pick<Passage, 'source' | 'startLine' | 'endLine' | 'startByte' | 'endByte' | 'text'>;

/** Creates a passage from lines as they were read, because the file may change before the answer is written. */
export const filePassage = (lines: FileLines): Passage => ({
  id: passageIdOf(lines.source, lines.startLine, lines.text),
  ...lines,
  score: 0,
  hash: passageHash(lines.text),
});

export interface OpenText extends FileText {
  /** Number of lines of the whole document before this text, which may be a part of the document. */
  readonly linesBefore: number;
  /** Whether the text's passages are chunks of a document. For a file, they are made from the shown lines. */
  readonly hasChunks: boolean;
  /** Returns the passages that contain the given lines and can be cited for them. */
  passagesAt(lines: Omit<FileLines, 'source'>): readonly Passage[];
}

interface FoundText {
  readonly name: string;
  /** Size in bytes; may be 0 for a file if sizes were not requested. */
  readonly bytes: number;
  /** Returns the result of `work`, or why there is no text. `scratch`: see `fileTextOf`. */
  use<R>(work: (text: OpenText) => Promise<R> | R, scratch?: Buffer): Promise<R | NoText>;
}

type NoText = 'without text' | 'that cannot be read';

export const isNoText = (value: unknown): value is NoText =>
  value === 'without text' || value === 'that cannot be read';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function openDocument(store: ContextStore, { document, source, linesBefore }: Stretch): OpenText {
  const { bytes } = store.documents[document]!;
  const start = readBuffer(store, document, 0, Math.min(3, bytes)).equals(byteOrderMark) ? 3 : 0;
  return {
    name: source,
    bytes: bytes - start,
    isWhole: bytes <= wholeFileBytes,
    linesBefore,
    hasChunks: true,
    read: (from, to) => readBuffer(store, document, start + from, Math.min(bytes, start + to)),
    passagesAt({ startByte, endByte }) {
      const first = chunkAt(store, document, start + startByte);
      const last = chunkAt(store, document, start + Math.max(startByte, endByte - 1));
      return Array.from({ length: last - first + 1 }, (_, at) => store.passageWithoutOverlap(store.chunk(first + at)));
    },
  };
}

const foundDocument = (store: ContextStore, stretch: Stretch): FoundText => ({
  name: stretch.source,
  bytes: store.documents[stretch.document]!.bytes,
  use: async (work) => work(openDocument(store, stretch)),
});

const openFileText = (text: FileText): OpenText => ({
  ...text,
  linesBefore: 0,
  hasChunks: false,
  passagesAt: (lines) => [filePassage({ source: text.name, ...lines })],
});

function openOrNull(found: FoundFile) {
  try {
    return found.open();
  } catch {
    return null;
  }
}

const foundFile = (found: FoundFile): FoundText => ({
  name: found.name,
  bytes: found.bytes,
  async use(work, scratch) {
    const file = openOrNull(found);
    if (file === null) return 'that cannot be read';
    try {
      const text = fileTextOf(file, scratch);
      return text === null ? 'without text' : await work(openFileText(text));
    } finally {
      file.close();
    }
  },
});

const isGlob = (path: string): boolean => /[*?[{]/.test(path);

const isBelow = (name: string, folder: string): boolean =>
  folder === '' || folder === '.' || name.startsWith(`${folder}/`) || name.includes(`/${folder}/`);

function commonFolder(names: readonly string[]): string {
  const first = names[0] ?? '';
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (folder !== '' && !names.every((name) => name.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}

function readPath(given: string | undefined, store: ContextStore) {
  const path = isAll(given) || plainPath(given) === '.' ? '' : given;
  const named = path === '' ? [] : documentsNamed(store, path);
  if (named.length > 0) return { path, glob: null, documents: named };
  const all = stretches(store);
  const glob = isGlob(path) ? parsePathGlob(path) : null;
  if (glob === null)
    return { path, glob, documents: all.filter(({ source }) => isBelow(plainPath(source), plainPath(path))) };
  const common = commonFolder(all.map(({ source }) => source)).length;
  const matches = ({ source }: Stretch) => [source, source.slice(common), plainPath(source)].some(glob.matches);
  return { path, glob, documents: all.filter(matches) };
}

/** Walks the files at a path. Returns null if no files may be read, or if only documents are at the path. */
async function walkAt(
  { path, glob, documents }: ReturnType<typeof readPath>,
  { files, signal }: ToolWorld,
  sizes: boolean,
) {
  const options = { hidden: glob?.hidden ?? false, sizes, signal };
  try {
    return files === null ? null : await files.walk(glob !== null || path === '' ? null : path, options);
  } catch (error) {
    if (documents.length > 0 && error instanceof ToolError) return null;
    throw error;
  }
}

async function* textsIn(
  store: ContextStore,
  documents: readonly Stretch[],
  glob: PathGlob | null,
  walk: Walk | null,
): AsyncGenerator<FoundText> {
  for (const stretch of documents) yield foundDocument(store, stretch);
  const known = new Set(stretches(store).map(({ source }) => source));
  if (walk === null) return;
  for await (const file of walk.files) {
    const isWanted = glob === null || glob.matches(file.below) || glob.matches(file.name);
    if (isWanted && !known.has(file.name)) yield foundFile(file);
  }
}

/**
 * Finds the documents and files at a path: a document, a file, a folder or a glob. Without a path, finds all.
 * @throws ToolError for a path that names nothing or may not be read, but not for a glob that matches nothing.
 */
export async function findTexts(given: string | undefined, world: ToolWorld, sizes = false) {
  const { store } = world;
  const named = readPath(given, store);
  const { path, glob, documents } = named;
  if (documents.length === 0 && world.files === null && glob === null) throw noSuch(path, store);
  const walk = await walkAt(named, world, sizes);
  return {
    texts: textsIn(store, documents, glob, walk),
    /** Returns notes on the files that were skipped. The notes are complete after the last text. */
    notes: (): string[] => (walk === null ? [] : passedByNotes(walk.passedBy)),
    none: () => new ToolError(glob === null ? `there is no file in ${path || '.'}` : `no path matches ${path}`),
  };
}

/** Returns the indexes of the chunks of the documents that a path names; null if it names all of the text. */
export function chunksAt(given: string | undefined, store: ContextStore): readonly number[] | null {
  const { path, documents } = readPath(given, store);
  if (path === '') return null;
  const wanted = new Set(documents.map(({ document }) => document));
  return [...Array(store.chunkCount).keys()].filter((index) => wanted.has(store.chunk(index).document));
}

/**
 * Opens the one text at a path, and closes it after `use`.
 * @throws ToolError if the path does not name exactly one text, or if the text may not be read.
 */
export async function withText<R>(
  world: ToolWorld,
  path: string | undefined,
  use: (text: OpenText) => Promise<R> | R,
): Promise<R> {
  const { store, files } = world;
  const found = isAll(path) ? [onlyStretch(store)] : documentsNamed(store, path);
  checkOne(`${path}`, found);
  if (found[0] !== undefined) return use(openDocument(store, found[0]));
  if (files === null) throw noSuch(path!, store);
  const file = await files.open(path!);
  try {
    const text = fileTextOf(file);
    if (text !== null) return await use(openFileText(text));
    const kind = `kind ${documentKindOf(file.name)}, ${counted(file.bytes, 'byte')}`;
    throw new ToolError(`${shownName(file.name)} holds no plain text: ${kind}. It is not shown.`);
  } finally {
    file.close();
  }
}
