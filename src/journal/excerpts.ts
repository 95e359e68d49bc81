import type { ContextStore } from '../context/document.ts';
import { type Peek, peek } from '../context/peek.ts';
import type { Citation, Passage } from '../state.ts';

/** The text around a citation. */
export interface Excerpt {
  /** The citation's number in the answer. */
  readonly number: number;
  readonly source: string;
  /** The line of the first character, from 1. */
  readonly startLine: number;
  readonly text: string;
}

const linesAround = 4;
const bytesAround = 400;
const bounds = { maxLines: 80, maxCharacters: 8_000 };

const isWithin = ({ endByte }: Citation, shown: Peek) => shown.endByte >= endByte;

/** The lines around a citation; of very long ones, the bytes around it. */
function look(store: ContextStore, citation: Citation): Peek {
  const { source: document, startLine, endLine, startByte, endByte } = citation;
  const lines = { document, startLine: Math.max(1, startLine - linesAround), endLine: endLine + linesAround };
  const shown = peek(store, lines, bounds);
  if (isWithin(citation, shown)) return shown;
  const bytes = { document, startByte: Math.max(0, startByte - bytesAround), endByte: endByte + bytesAround };
  return peek(store, bytes, bounds);
}

function excerptOf(citation: Citation, store: ContextStore, passage: Passage | undefined): Excerpt | null {
  const { number, source } = citation;
  try {
    const { startLine, text } = look(store, citation);
    return { number, source, startLine, text };
  } catch {
    // Of a document of a search server, or a file beside the text, only the passage is known.
    return passage === undefined ? null : { number, source, startLine: passage.startLine, text: passage.text };
  }
}

/**
 * The surroundings of each citation, at most 8,000 characters each.
 * @param findPassage the passage with an id, where the run was given it.
 */
export const excerptsOf = (
  citations: readonly Citation[],
  store: ContextStore,
  findPassage: (id: string) => Passage | undefined,
): Excerpt[] => citations.flatMap((citation) => excerptOf(citation, store, findPassage(citation.passage)) ?? []);
