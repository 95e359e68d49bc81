import { RlmError } from '../errors.ts';
import type { DocumentInfo, Passage } from '../state.ts';
import type { ChunkPlace } from './chunkers/chunker.ts';

/** A whole document. */
export interface Document {
  /** The path as the user would type it, with `/` separators; `stdin` for piped text. */
  readonly name: string;
  /** UTF-8. Invalid sequences are left as they are and become U+FFFD when read. */
  readonly bytes: Uint8Array;
}

/** The place of a chunk in the text. */
export interface Chunk extends ChunkPlace {
  /** The number in the id of the chunk's passage. */
  readonly number: number;
  /** Index into the documents. */
  readonly document: number;
}

/** All documents, divided into chunks. Prompts take passages from them. */
export interface ContextStore {
  readonly documents: readonly DocumentInfo[];
  /** The name of the document that is being written, or null. Absent in a store that does not grow. */
  readonly growing?: string | null;
  readonly chunkCount: number;
  /** Returns a chunk by its index, from 0, in document order. */
  chunk(index: number): Chunk;
  /** Returns the index of the chunk with a passage's id; -1 for an unknown id. */
  indexOf(passageId: string): number;
  readonly totalBytes: number;
  /** Returns a view of bytes of a document, or a copy in `room`; do not write to it. Throws the system's error. */
  read(document: number, startByte: number, endByte: number, room?: Uint8Array): Uint8Array;
  /** Returns the first 32 hex digits of the SHA-256 of a document's text. Absent in a store without hashes. */
  hash?(document: number): string;
  /** Returns a chunk's text, without a byte order mark. */
  text(chunk: Chunk): string;
  /** Returns a chunk as a passage without overlap. */
  passageWithoutOverlap(chunk: Chunk): Passage;
  /** Returns a chunk as a passage with the store's overlap. */
  passage(chunk: Chunk, score: number): Passage;
}

/** Implements `ContextStore.indexOf` for a store that numbers its chunks from 1 without gaps. */
export function indexOfNumber(passageId: string, chunkCount: number): number {
  const number = Number(passageId.slice(1));
  return Number.isInteger(number) && number >= 1 && number <= chunkCount ? number - 1 : -1;
}

/** Returns the index of the document with a name. Throws RlmError `input-missing`. */
export function findDocument(store: ContextStore, name: string): number {
  const index = store.documents.findIndex((document) => document.name === name);
  if (index !== -1) return index;
  const { documents } = store;
  const first = documents.slice(0, 3).map((document) => document.name);
  const named = documents.length > first.length ? `${first.join(', ')}, …` : first.join(', ');
  throw new RlmError('input-missing', `there is no document '${name}'`, {
    hint: documents.length === 0 ? 'There is no text at all.' : `The documents are ${named}`,
  });
}

/** Prefix of a table cell that repeats the cell above, because the original cell spans several rows. */
export const dittoMark = '″ ';
