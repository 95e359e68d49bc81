import type { Settings } from '../config/settings.ts';
import {
  afterBlankLines,
  betweenParagraphs,
  betweenRecords,
  createSectionFinder,
  looksLikeRecords,
} from './chunkers/boundaries.ts';
import { createCharPacker } from './chunkers/char-packer.ts';
import { type Chunker, createDeferredChunker, type Emit } from './chunkers/chunker.ts';
import { type ChunkTraits, createCodeChunker } from './chunkers/code.ts';
import { extensionOf, isCodeName } from './chunkers/languages.ts';
import { createLinePacker } from './chunkers/line-packer.ts';

/** The ways of cutting text; `auto` decides by the document's name and first lines. */
export type ChunkKind = Settings['context']['chunking'];

export const defaultChunkBytes = 1500;

export interface ChunkOptions {
  /** In bytes, at least 4; 1,500 when not given. Only the line break at a chunk's end may exceed it. */
  readonly chunkBytes?: number | undefined;
  /** The document's name, which tells its kind and language. */
  readonly name?: string | undefined;
  /** Returns whether code of `bytes` bytes may be parsed for its definitions; called at most once per document. */
  readonly mayParse?: (bytes: number) => boolean;
}

type CreateChunker = (chunkBytes: number, traits: ChunkTraits, emit: Emit) => Chunker;

const byKind: Readonly<Record<ChunkKind, CreateChunker>> = {
  auto: createAutoChunker,
  lines: (chunkBytes, _, emit) => createLinePacker(chunkBytes, afterBlankLines, emit),
  chars: (chunkBytes, _, emit) => createCharPacker(chunkBytes, emit),
  paragraphs: (chunkBytes, _, emit) => createLinePacker(chunkBytes, betweenParagraphs, emit),
  markdown: (chunkBytes, _, emit) => createLinePacker(chunkBytes, createSectionFinder(), emit),
  code: createCodeChunker,
  records: (chunkBytes, _, emit) => createLinePacker(chunkBytes, betweenRecords, emit),
};

const kindByExtension: Readonly<Record<string, ChunkKind>> = {
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  jsonl: 'records',
  ndjson: 'records',
  log: 'records',
};

/** Number of bytes at the start of a text that show whether it consists of records. */
const tellingBytes = 4096;

function createAutoChunker(chunkBytes: number, traits: ChunkTraits, emit: Emit): Chunker {
  const kind = isCodeName(traits.name) ? 'code' : kindByExtension[extensionOf(traits.name)];
  if (kind !== undefined) return byKind[kind](chunkBytes, traits, emit);
  return createDeferredChunker(tellingBytes, (head) =>
    byKind[looksLikeRecords(head) ? 'records' : 'lines'](chunkBytes, traits, emit),
  );
}

/**
 * Creates a chunker for one document. It emits a chunk soon after the last byte of the chunk has arrived; it emits the
 * chunks of code of up to 1 MB when the text ends. Together the chunks hold every byte of the document once. Takes time
 * linear in the bytes. Keeps the text of a few chunks in memory; for code, up to 1 MB.
 *
 * All kinds except `chars` give whole lines. A line longer than a chunk is cut into chunks of its own, between
 * characters and preferably at a space. Each chunk is as long as its kind allows:
 *
 * - `lines`: it ends at a blank line if its second half has one.
 * - `chars`: it is full, regardless of lines.
 * - `paragraphs`: it ends at a blank line if possible.
 * - `markdown`: it ends before a heading if possible.
 * - `code`: it ends before a definition if possible.
 * - `records`: it ends before a line that begins a record, as in logs and JSON lines.
 */
export function createChunker(kind: ChunkKind, options: ChunkOptions, emit: Emit): Chunker {
  const { chunkBytes = defaultChunkBytes, name = '', mayParse = () => true } = options;
  return byKind[kind](Math.max(4, chunkBytes), { name, mayParse }, emit);
}
