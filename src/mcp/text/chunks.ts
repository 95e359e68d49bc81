/** A chunk holds positions and no text. */
import type { Context } from '../../api/open-context.ts';

export const cutKinds = ['lines', 'chars', 'paragraphs', 'passages', 'documents'] as const;
export type CutKind = (typeof cutKinds)[number];

interface LineSpan {
  readonly document: number;
  readonly startByte: number;
  /** Exclusive. A chunk of lines or paragraphs ends before its last line feed. */
  readonly endByte: number;
  /** From 1. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface ContextChunk extends LineSpan {
  /** In characters (code points). */
  readonly length: number;
}

const windowBytes = 1024 * 1024;
const lineFeed = 0x0a;

const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

const isBlankByte = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** Yields the bytes of a range window by window. Lets other requests run between two windows. */
async function* windows(
  context: Context,
  document: number,
  startByte: number,
  endByte: number,
): AsyncGenerator<{ readonly at: number; readonly bytes: Uint8Array }> {
  for (let at = startByte; at < endByte; at += windowBytes) {
    if (at > startByte) await new Promise((resolve) => setImmediate(resolve));
    yield { at, bytes: context.read(document, at, Math.min(endByte, at + windowBytes)) };
  }
}

async function countCharacters(context: Context, { document, startByte, endByte }: Omit<LineSpan, 'startLine'>) {
  let count = 0;
  for await (const { bytes } of windows(context, document, startByte, endByte))
    for (const byte of bytes) if (beginsCharacter(byte)) count += 1;
  return count;
}

const wholeOf = ({ documents }: Context, document: number): LineSpan => {
  const { bytes: endByte, lines: endLine } = documents[document]!;
  return { document, startByte: 0, endByte, startLine: 1, endLine };
};

export async function contextCharacters(context: Context): Promise<number> {
  let count = 0;
  for (const document of context.documents.keys()) count += await countCharacters(context, wholeOf(context, document));
  return count;
}

/** Yields the lines of a document. A line feed at the end of the document does not begin another line. */
export async function* chunkLines(context: Context, document: number): AsyncGenerator<LineSpan> {
  const { bytes: size } = context.documents[document]!;
  let [startByte, line] = [0, 1];
  for await (const { at, bytes } of windows(context, document, 0, size)) {
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) {
      yield { document, startByte, endByte: at + feed, startLine: line, endLine: line };
      [startByte, line] = [at + feed + 1, line + 1];
    }
  }
  if (startByte < size) yield { document, startByte, endByte: size, startLine: line, endLine: line };
}

const joined = (first: LineSpan | null, last: LineSpan): LineSpan =>
  first === null ? last : { ...first, endByte: last.endByte, endLine: last.endLine };

async function* paragraphs(context: Context, document: number): AsyncGenerator<LineSpan> {
  let open: LineSpan | null = null;
  for await (const line of chunkLines(context, document)) {
    const isBlank = context.read(document, line.startByte, line.endByte).every(isBlankByte);
    if (isBlank && open !== null) yield open;
    if (isBlank) open = null;
    else open = joined(open, line);
  }
  if (open !== null) yield open;
}

async function* byCharacters(context: Context, document: number, size: number): AsyncGenerator<ContextChunk> {
  const { bytes: endByte } = context.documents[document]!;
  let [startByte, startLine, endLine, line, length] = [0, 1, 1, 1, 0];
  for await (const { at, bytes } of windows(context, document, 0, endByte)) {
    for (let index = 0; index < bytes.length; index++) {
      if (!beginsCharacter(bytes[index]!)) continue;
      if (length === size) {
        yield { document, startByte, endByte: at + index, startLine, endLine, length };
        [startByte, startLine, length] = [at + index, line, 0];
      }
      length += 1;
      endLine = line;
      if (bytes[index] === lineFeed) line += 1;
    }
  }
  if (length > 0) yield { document, startByte, endByte, startLine, endLine, length };
}

function unitsOf(context: Context, document: number, kind: Exclude<CutKind, 'chars'>) {
  if (kind === 'lines') return chunkLines(context, document);
  if (kind === 'paragraphs') return paragraphs(context, document);
  if (kind === 'documents') return [wholeOf(context, document)];
  return context.chunks.filter((chunk) => chunk.document === document);
}

/** Yields chunks of `size` units. Text between two chunks, such as a blank line, belongs to neither chunk. */
async function* byUnits(
  context: Context,
  document: number,
  kind: Exclude<CutKind, 'chars'>,
  size: number,
): AsyncGenerator<ContextChunk> {
  const chunk = async (span: LineSpan) => ({ ...span, length: await countCharacters(context, span) });
  let [open, units]: [LineSpan | null, number] = [null, 0];
  for await (const { startByte, endByte, startLine, endLine } of unitsOf(context, document, kind)) {
    open = joined(open, { document, startByte, endByte, startLine, endLine });
    units += 1;
    if (units < size && kind !== 'documents') continue;
    yield await chunk(open);
    [open, units] = [null, 0];
  }
  if (open !== null) yield await chunk(open);
}

/** Divides documents into chunks of `size` units. For the kind `documents`, each document is one chunk. */
export async function cut(context: Context, kind: CutKind, size: number): Promise<readonly ContextChunk[]> {
  const chunks: ContextChunk[] = [];
  for (const document of context.documents.keys()) {
    const found = kind === 'chars' ? byCharacters(context, document, size) : byUnits(context, document, kind, size);
    for await (const chunk of found) chunks.push(chunk);
  }
  return chunks;
}

/** Returns the text of a chunk, at most its first `most` bytes. */
export const chunkTextOf = (context: Context, { document, startByte, endByte }: ContextChunk, most = endByte): string =>
  new TextDecoder().decode(context.read(document, startByte, Math.min(endByte, startByte + most)));
