import { passageHash, passageIdOf } from '../../context/passage-id.ts';
import type { Passage } from '../../state.ts';
import type { Query } from '../retriever.ts';

/** A passage of a server. Its content is no more trusted than the text of a file. */
export interface ServerDocument {
  /** The server's name for it. */
  readonly id: string;
  readonly text: string;
  /** The source of the passage; null: unknown, and the id is used. */
  readonly source: string | null;
  /** Line in the source, from 1; null: unknown. */
  readonly startLine: number | null;
  readonly endLine: number | null;
}

export interface ScoredDocument {
  readonly document: ServerDocument;
  /** Above 0. */
  readonly score: number;
}

const longestSource = 500;

/** Reads a line number from a field; null for any other value. */
export const toLine = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : null;

/** Reads a source from a field; null for any other value. */
export const toSource = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function toPassage({ document, score }: ScoredDocument): Passage {
  const text = document.text.toWellFormed();
  const source = (document.source ?? document.id).toWellFormed().slice(0, longestSource);
  const startLine = document.startLine ?? 1;
  const lastLine = startLine + lineCount(text) - 1;
  const endLine = document.startLine === null ? lastLine : Math.max(startLine, document.endLine ?? lastLine);
  const hash = passageHash(text);
  const [startByte, endByte] = [0, Buffer.byteLength(text)];
  return {
    id: passageIdOf(source, startLine, text),
    source,
    startLine,
    endLine,
    startByte,
    endByte,
    text,
    score,
    hash,
  };
}

const byWords = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A total order, so that the order of equal scores does not depend on their arrival. */
const better = (a: Passage, b: Passage): number =>
  b.score - a.score || byWords(a.source, b.source) || a.startLine - b.startLine || byWords(a.id, b.id);

/** Returns how many passages are requested from a server: some may be too large, or excluded. */
export const wantedFor = ({ limit, exclude }: Query): number => limit * 2 + (exclude?.size ?? 0);

/**
 * Returns the best passages of a server, each once, as many as the query allows. Warns about passages that are larger
 * than the query's whole room, since no question can show them.
 */
export function takePassages(
  found: readonly ScoredDocument[],
  { limit, maxBytes, exclude }: Query,
  warn: (message: string) => void,
): Passage[] {
  const taken = new Map<string, Passage>();
  let left = maxBytes;
  let tooLarge = 0;
  for (const passage of found.map(toPassage).sort(better)) {
    if (taken.size >= limit) break;
    if (exclude?.has(passage.id)) continue;
    if (passage.endByte > maxBytes) tooLarge += 1;
    if (passage.endByte > left || passage.endByte === 0 || taken.has(passage.id)) continue;
    taken.set(passage.id, passage);
    left -= passage.endByte;
  }
  if (tooLarge > 0 && maxBytes > 0) {
    warn(`${tooLarge} of the passages that the search server found do not fit a prompt and were left out`);
  }
  return [...taken.values()];
}
