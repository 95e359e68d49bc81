import { cutText } from '../../base/text.ts';
import type { Passage } from '../../state.ts';
import { isCodeName } from '../chunkers/languages.ts';
import type { Chunk, ContextStore } from '../document.ts';
import { createTalkReader, createUnderReader, definesCode, isComment } from './under-reader.ts';

const mostBefore = 16_384;

const mostHead = 400;

const mostLines = 4;

/**
 * Returns the text before `start`. If this text exceeds 16 KB, returns only the first line of the document and the
 * whole lines in the last 16 KB before `start`.
 */
function textsBefore(store: ContextStore, { document }: Pick<Chunk, 'document'>, start: number): string[] {
  const from = Math.max(0, start - mostBefore);
  const before = store.read(document, from, start).toString();
  if (from === 0) return [before];
  const [first = ''] = store.read(document, 0, mostHead).toString().split('\n', 1);
  return [first, before.slice(before.indexOf('\n') + 1)];
}

/** Returns a passage with the headings that apply to it. Throws the system's error. */
export function withUnder(store: ContextStore, passage: Passage): Passage {
  const under = underOf(store, passage);
  return under.length === 0 ? passage : { ...passage, under };
}

function underOf(store: ContextStore, { id, source, startByte, endByte, text }: Passage): readonly string[] {
  const index = store.indexOf(id);
  if (index < 0) return underAt(store, source, startByte);
  const read = startByte === 0 ? null : (createUnderReader(source) ?? createTalkReader(source, false));
  if (read === null) return [];
  const chunk = store.chunk(index);
  const overlap = endByte - startByte - (chunk.endByte - chunk.startByte);
  for (const before of textsBefore(store, chunk, chunk.startByte - overlap)) read(before);
  return read(text).slice(-mostLines);
}

/** Matches the marks at both ends of a comment line, and a decorator line. */
const commentMarks = /^\s*(?:\/\*+|\*+\/|\*|\/\/+|#+|--|@.*)\s?|\*\/\s*$/g;

const longestComment = 200;

function commentAbove(before: string): string {
  const lines = before.slice(0, -1).split('\n');
  const above = lines.slice(lines.findLastIndex((line) => !isComment(line)) + 1);
  const words = above
    .map((line) => line.replace(commentMarks, '').trim())
    .filter(Boolean)
    .join(' ');
  return cutText(words, longestComment);
}

/**
 * Returns the context above a line of a document, outermost first: headings, the table header, enclosing definitions,
 * keys, the day and the speaker; for a definition also the comment above it.
 * @param start the offset of any byte of the line.
 */
export function underAt(store: ContextStore, name: string, start: number): readonly string[] {
  const document = store.documents.findIndex((one) => one.name === name);
  const read = document < 0 ? null : (createUnderReader(name) ?? createTalkReader(name, true));
  if (read === null) return [];
  const { bytes } = store.documents[document]!;
  const texts = textsBefore(store, { document }, start);
  const last = texts.pop()!;
  const lineStart = last.lastIndexOf('\n') + 1;
  if (lineStart === 0 && texts.length === 0) return [];
  const before = last.slice(0, lineStart);
  for (const text of [...texts, before]) read(text);
  const rest = store.read(document, start, Math.min(bytes, start + mostHead)).toString();
  const line = (last.slice(lineStart) + rest).split('\n', 1)[0]!;
  const above = isCodeName(name) && definesCode(line) ? commentAbove(before) : '';
  return [...read(line).slice(-mostLines), ...(above === '' ? [] : [above])];
}

/** Returns the number of bytes that a passage's headings take in a prompt. */
export const underBytes = ({ under = [] }: Pick<Passage, 'under'>): number =>
  under.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0);
