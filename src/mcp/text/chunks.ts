/** Divides the text of a context into chunks. A chunk holds positions and no text. */
import type { Context } from '../../api/open-context.ts';

/** The units by which a context can be divided. */
export const cutKinds = ['lines', 'chars', 'paragraphs', 'passages', 'documents'] as const;
export type CutKind = (typeof cutKinds)[number];

/** A part of one document. */
export interface ContextChunk {
  /** Index among the context's documents. */
  readonly document: number;
  readonly startByte: number;
  /** Exclusive. The line feed that ends the last line is not included. */
  readonly endByte: number;
  /** From 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** In characters (code points). */
  readonly length: number;
}

const windowBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** Whether a UTF-8 byte begins a character. */
const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

const isBlankByte = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** Yields to other requests between two windows of a large text. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* windows(context: Context, document: number): AsyncGenerator<{ bytes: Uint8Array; at: number }> {
  const { bytes: size } = context.documents[document]!;
  for (let at = 0; at < size; at += windowBytes) {
    if (at > 0) await breathe();
    yield { bytes: context.read(document, at, at + windowBytes), at };
  }
}

/** The position of a line, in bytes. */
interface Line {
  readonly startByte: number;
  /** Without its line feed. */
  readonly endByte: number;
  readonly length: number;
  readonly isBlank: boolean;
}

/** Yields the lines of a document. A line feed at the end of the document does not begin another line. */
export async function* chunkLines(context: Context, document: number): AsyncGenerator<Line> {
  let [start, length, isBlank] = [0, 0, true];
  for await (const { bytes, at } of windows(context, document)) {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]!;
      if (byte === lineFeed) {
        yield { startByte: start, endByte: at + index, length, isBlank };
        [start, length, isBlank] = [at + index + 1, 0, true];
        continue;
      }
      if (beginsCharacter(byte)) length += 1;
      if (!isBlankByte(byte)) isBlank = false;
    }
  }
  const { bytes: size } = context.documents[document]!;
  if (start < size) yield { startByte: start, endByte: size, length, isBlank };
}

/** Counts the characters (code points) of all documents, line feeds included. */
export async function countCharacters(context: Context): Promise<number> {
  let count = 0;
  for (const document of context.documents.keys())
    for await (const { bytes } of windows(context, document))
      for (const byte of bytes) if (beginsCharacter(byte)) count += 1;
  return count;
}

/** A growing chunk of whole lines. */
function createOpenChunk(document: number) {
  let [startByte, endByte, startLine, endLine, length, lines] = [0, 0, 0, 0, 0, 0];
  return {
    add(line: Line, number: number): void {
      if (lines === 0) [startByte, startLine, length] = [line.startByte, number, 0];
      else length += 1; // The line feed between two lines.
      length += line.length;
      [endByte, endLine] = [line.endByte, number];
      lines += 1;
    },
    lines: () => lines,
    /** Returns the chunk and begins another. */
    take(): ContextChunk {
      lines = 0;
      return { document, startByte, endByte, startLine, endLine, length };
    },
  };
}

async function* byLines(context: Context, document: number, size: number): AsyncGenerator<ContextChunk> {
  const chunk = createOpenChunk(document);
  let number = 0;
  for await (const line of chunkLines(context, document)) {
    chunk.add(line, ++number);
    if (chunk.lines() === size) yield chunk.take();
  }
  if (chunk.lines() > 0) yield chunk.take();
}

/** Yields chunks of `size` paragraphs. Blank lines separate paragraphs; those between two chunks are in neither. */
async function* byParagraphs(context: Context, document: number, size: number): AsyncGenerator<ContextChunk> {
  const chunk = createOpenChunk(document);
  let [number, paragraphs, wasBlank] = [0, 0, true];
  let blanks: [Line, number][] = [];
  for await (const line of chunkLines(context, document)) {
    number += 1;
    if (line.isBlank) {
      blanks.push([line, number]);
      wasBlank = true;
      continue;
    }
    if (wasBlank && paragraphs === size) {
      yield chunk.take();
      paragraphs = 0;
    }
    if (wasBlank) paragraphs += 1;
    if (chunk.lines() > 0) for (const [blank, at] of blanks) chunk.add(blank, at);
    blanks = [];
    chunk.add(line, number);
    wasBlank = false;
  }
  if (chunk.lines() > 0) yield chunk.take();
}

async function* byCharacters(context: Context, document: number, size: number): AsyncGenerator<ContextChunk> {
  let [startByte, startLine, line, length] = [0, 1, 1, 0];
  for await (const { bytes, at } of windows(context, document)) {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index]!;
      if (!beginsCharacter(byte)) continue;
      if (length === size) {
        yield { document, startByte, endByte: at + index, startLine, endLine: line, length };
        [startByte, startLine, length] = [at + index, line, 0];
      }
      length += 1;
      if (byte === lineFeed) line += 1;
    }
  }
  const { bytes: endByte, lines } = context.documents[document]!;
  if (length > 0) yield { document, startByte, endByte, startLine, endLine: lines, length };
}

async function characters(context: Context, document: number, startByte: number, endByte: number): Promise<number> {
  let count = 0;
  for (let at = startByte; at < endByte; at += windowBytes) {
    if (at > startByte) await breathe();
    for (const byte of context.read(document, at, Math.min(endByte, at + windowBytes)))
      if (beginsCharacter(byte)) count += 1;
  }
  return count;
}

/** Yields chunks of `size` passages. */
async function* byPassages(context: Context, document: number, size: number): AsyncGenerator<ContextChunk> {
  const own = context.chunks.filter((chunk) => chunk.document === document);
  for (let at = 0; at < own.length; at += size) {
    const [first, last] = [own[at]!, own[Math.min(own.length, at + size) - 1]!];
    const { startByte, startLine } = first;
    const { endByte, endLine } = last;
    const length = await characters(context, document, startByte, endByte);
    yield { document, startByte, endByte, startLine, endLine, length };
  }
}

async function* byDocuments(context: Context, document: number): AsyncGenerator<ContextChunk> {
  const { bytes, lines } = context.documents[document]!;
  const length = await characters(context, document, 0, bytes);
  yield { document, startByte: 0, endByte: bytes, startLine: 1, endLine: lines, length };
}

const cutters = {
  lines: byLines,
  chars: byCharacters,
  paragraphs: byParagraphs,
  passages: byPassages,
  documents: byDocuments,
} satisfies Record<CutKind, (context: Context, document: number, size: number) => AsyncGenerator<ContextChunk>>;

/**
 * Divides every document into chunks. No chunk spans two documents.
 * @param size the number of lines, characters, paragraphs or passages in a chunk; ignored for documents.
 */
export async function cut(context: Context, kind: CutKind, size: number): Promise<readonly ContextChunk[]> {
  const chunks: ContextChunk[] = [];
  for (const document of context.documents.keys())
    for await (const chunk of cutters[kind](context, document, size)) chunks.push(chunk);
  return chunks;
}

/** Returns the text of a chunk. */
export const chunkTextOf = (context: Context, { document, startByte, endByte }: ContextChunk): string =>
  new TextDecoder('utf-8', { ignoreBOM: false }).decode(context.read(document, startByte, endByte));
