import type { ContextStore } from '../document.ts';
import { documentKindOf } from '../kinds.ts';
import { searchFor } from '../search/search.ts';
import { readBuffer, withoutEnd } from '../shown-text.ts';
import { tested } from './criteria.ts';
import type { Reading } from './readings.ts';

/** A line that was counted. */
interface CountedLine {
  readonly document: number;
  readonly startByte: number;
}

/** The lines of one document that match a reading. */
export interface DocumentCount {
  readonly document: number;
  readonly lines: number;
  readonly levels: ReadonlyMap<string, number>;
  /** The first matching lines. */
  readonly examples: readonly CountedLine[];
}

/** The lines of the whole text that match a reading. */
export interface LineCount {
  readonly lines: number;
  /** Number of lines with each log level; empty where no line has one. */
  readonly levels: ReadonlyMap<string, number>;
  /** Documents with matching lines, in text order. */
  readonly documents: readonly DocumentCount[];
  /** Documents that are not logs, where only events count: their lines are not in `lines`. */
  readonly setAside: readonly DocumentCount[];
}

const mostExamples = 5;
/** Bytes of a line that are read, at most. */
const mostLineBytes = 64 * 1024;
const lookedAtBytes = 4096;
const dated = /^\W{0,2}(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d|\w{3} +\d+ \d\d:\d\d|\d{4}\/\d\d\/\d\d )|\[\d\d\/\w{3}\/\d{4}:/;
const prose = new Set(['Markdown', 'HTML', 'PDF', 'Word document', 'reStructuredText']);

const levelNames = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b/;

const add = (counts: Map<string, number>, key: string, count: number) =>
  counts.set(key, (counts.get(key) ?? 0) + count);

function sumLevels(counts: readonly DocumentCount[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const { levels } of counts) for (const [name, count] of levels) add(sum, name, count);
  return sum;
}

/** Whether a document is a log: it holds events, one per line. */
function isLog(store: ContextStore, document: number): boolean {
  const { name, bytes } = store.documents[document]!;
  const kind = documentKindOf(name);
  if (kind === 'log' || kind === 'JSON lines') return true;
  if (prose.has(kind)) return false;
  const start = readBuffer(store, document, 0, Math.min(bytes, lookedAtBytes)).toString('utf8');
  const lines = start.split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => dated.test(line)).length * 2 > lines.length;
}

function textOfLine(store: ContextStore, document: number, startByte: number): string {
  const end = Math.min(store.documents[document]!.bytes, startByte + mostLineBytes);
  const bytes = readBuffer(store, document, startByte, end);
  const feed = bytes.indexOf(0x0a);
  return withoutEnd(feed === -1 ? bytes : bytes.subarray(0, feed)).toString('utf8');
}

interface Growing extends Omit<DocumentCount, 'examples'> {
  lines: number;
  readonly levels: Map<string, number>;
  readonly examples: CountedLine[];
}

/** Counts the lines of the whole text that meet all criteria of a reading. */
export async function countLines(
  store: ContextStore,
  { criteria, isExact }: Reading,
  named: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<LineCount> {
  const { find, ignoreCase } = criteria.toSorted((a, b) => b.find.length - a.find.length)[0]!;
  const counts = new Map<number, Growing>();
  function take(document: number, startByte: number): void {
    const line = tested(textOfLine(store, document, startByte));
    if (!criteria.every(({ test }) => test(line))) return;
    const count: Growing = counts.get(document) ?? { document, lines: 0, levels: new Map(), examples: [] };
    counts.set(document, count);
    count.lines += 1;
    const [level] = levelNames.exec(line.text) ?? [];
    if (level !== undefined) add(count.levels, level, 1);
    if (count.examples.length < mostExamples) count.examples.push({ document, startByte });
  }
  await searchFor(store, find, { ignoreCase, documents: named, limit: Number.MAX_SAFE_INTEGER }, take, signal);
  const found = [...counts.values()];
  const documents = isExact ? found : found.filter(({ document }) => isLog(store, document));
  return {
    lines: documents.reduce((total, { lines }) => total + lines, 0),
    levels: sumLevels(documents),
    documents,
    setAside: found.filter((one) => !documents.includes(one)),
  };
}
