import type { ContextStore } from '../document.ts';
import { createLineFinder, type LineBytes } from '../lines.ts';
import { searchPlaces } from '../search/search.ts';
import { readBuffer, withoutEnd } from '../shown-text.ts';
import type { LinePattern } from './events.ts';
import { readMoment, type TimedLine } from './moments.ts';
import { eventsOf, type OrderQuestion, putInOrder } from './order-question.ts';

/** A line of a store with its time stamp. */
export interface PlacedLine extends TimedLine {
  /** Index into the store's documents. */
  readonly document: number;
  readonly startByte: number;
}

/** Candidate lines of one document that are read from its start, at most, and as many from its end. */
const mostLines = 2_000;
/** Bytes at a document's start that decide whether its lines have time stamps. */
const headBytes = 16_384;
const longestLine = 2_000;
const linesAround = 20;

/** Returns the names of the documents whose lines have time stamps. */
function timedDocuments(store: ContextStore): string[] {
  return store.documents
    .filter(({ bytes }, document) =>
      readBuffer(store, document, 0, Math.min(bytes, headBytes))
        .toString()
        .split('\n')
        .some((line) => readMoment(line) !== null),
    )
    .map(({ name }) => name);
}

function toLine(store: ContextStore, document: number, place: LineBytes): PlacedLine | null {
  const { startByte, endByte } = place;
  const bytes = readBuffer(store, document, startByte, Math.min(endByte, startByte + longestLine));
  const text = withoutEnd(bytes).toString();
  const moment = readMoment(text);
  return moment === null ? null : { text, moment, document, startByte };
}

/** Finds lines with time stamps that a pattern matches: of each document the first and the last ones. */
export async function timedLines(
  store: ContextStore,
  { source: pattern, ignoreCase }: LinePattern,
  signal: AbortSignal,
): Promise<PlacedLine[]> {
  const finder = createLineFinder(store);
  const found: PlacedLine[] = [];
  for (const name of timedDocuments(store)) {
    const options = { documents: [name], ignoreCase, limit: mostLines };
    const first = await searchPlaces(store, pattern, { ...options }, signal);
    const skip = Math.max(0, first.more - mostLines) + mostLines;
    const last = first.more === 0 ? [] : (await searchPlaces(store, pattern, { ...options, skip }, signal)).matches;
    for (const { document, startByte } of [...first.matches, ...last]) {
      const line = toLine(store, document, finder.around(document, startByte)!);
      if (line !== null) found.push(line);
    }
  }
  return found;
}

function neighboursOf({ document, startByte }: PlacedLine, store: ContextStore): PlacedLine[] {
  const finder = createLineFinder(store);
  const { line } = finder.around(document, startByte)!;
  const places = Array.from({ length: 2 * linesAround + 1 }, (_, step) =>
    finder.at(document, line - linesAround + step),
  );
  return places.flatMap((place) => (place === null ? [] : (toLine(store, document, place) ?? [])));
}

/** Finds the lines of a text that answer a question about the order in time, in that order. */
export async function findInOrder(
  store: ContextStore,
  question: OrderQuestion,
  signal: AbortSignal,
): Promise<readonly PlacedLine[]> {
  const patterns = eventsOf(question).flatMap((event) => event.patterns);
  const candidates: PlacedLine[] = [];
  for (const pattern of patterns) candidates.push(...(await timedLines(store, pattern, signal)));
  if (question.kind === 'beside' && question.event.patterns.length === 0) {
    const anchor = putInOrder({ kind: 'edge', ...question.anchor }, candidates).lines[0];
    return anchor === undefined ? [] : putInOrder(question, withoutTwins([...neighboursOf(anchor, store)])).lines;
  }
  return putInOrder(question, withoutTwins(candidates)).lines;
}

function withoutTwins(lines: readonly PlacedLine[]): PlacedLine[] {
  return [...new Map(lines.map((line) => [`${line.document} ${line.startByte}`, line])).values()];
}
