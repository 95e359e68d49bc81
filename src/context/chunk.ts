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

/** The ways to cut text into chunks; `auto` chooses one by the document's name and first lines. */
export type ChunkKind = Settings['context']['chunking'];

export const defaultChunkBytes = 1500;

export interface ChunkOptions {
  /** Size of a chunk in bytes, at least 4; default 1,500. */
  readonly chunkBytes?: number | undefined;
  readonly name?: string | undefined;
  /** Whether code of this many bytes may be parsed. Called at most once per document. */
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

const tellingBytes = 4096;

function createAutoChunker(chunkBytes: number, traits: ChunkTraits, emit: Emit): Chunker {
  const kind = isCodeName(traits.name) ? 'code' : kindByExtension[extensionOf(traits.name)];
  if (kind !== undefined) return byKind[kind](chunkBytes, traits, emit);
  return createDeferredChunker(tellingBytes, (head) =>
    byKind[looksLikeRecords(head) ? 'records' : 'lines'](chunkBytes, traits, emit),
  );
}

/**
 * Creates a chunker for one document. Each byte of the document is in exactly one chunk. All kinds except `chars` cut
 * within a line only if it is longer than a chunk.
 */
export function createChunker(kind: ChunkKind, options: ChunkOptions, emit: Emit): Chunker {
  const { chunkBytes = defaultChunkBytes, name = '', mayParse = () => true } = options;
  return byKind[kind](Math.max(4, chunkBytes), { name, mayParse }, emit);
}
