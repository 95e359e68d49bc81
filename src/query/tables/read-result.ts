import { type CitedLines, leftOut, type QueryLimits, type Value } from '../query-result.ts';
import type { Statement } from '../sqlite/database.ts';

const mostCitations = 20;
const countingMs = 1_000;
const mostCounted = 5_000_000;
const lineNames: readonly string[] = ['line', 'number'];

function placesIn(columns: readonly string[]) {
  const names = columns.map((name) => name.toLowerCase());
  return { document: names.indexOf('document'), line: names.findIndex((name) => lineNames.includes(name)) };
}

/** Whether the columns include the document and the line of a row. */
export function tellsPlaces(columns: readonly string[]): boolean {
  const { document, line } = placesIn(columns);
  return document !== -1 && line !== -1;
}

function createCitations(columns: readonly string[]) {
  const { document, line } = placesIn(columns);
  const cited: { document: string; startLine: number; endLine: number }[] = [];
  const seen = new Set<string>();
  return {
    add(row: readonly Value[]): void {
      const [name, at] = [row[document], row[line]];
      if (typeof name !== 'string' || typeof at !== 'number' || seen.has(`${at} ${name}`)) return;
      seen.add(`${at} ${name}`);
      const last = cited.at(-1);
      if (last?.document === name && last.endLine === at - 1) last.endLine = at;
      else cited.push({ document: name, startLine: at, endLine: at });
    },
    cited: cited as readonly CitedLines[],
  };
}

function countRest(statement: Statement): { readonly count: number; readonly isCounted: boolean } {
  const until = performance.now() + countingMs;
  for (let count = 0; ; count++) {
    if (count >= mostCounted || (count % 1_000 === 999 && performance.now() > until))
      return { count, isCounted: false };
    if (!statement.step()) return { count, isCounted: true };
  }
}

/**
 * Reads as many rows as the limits allow, counts the others, and closes the statement. Throws SqlError.
 * @param hidden number of last columns that only give the place of a row and are not returned.
 */
export function readResult(statement: Statement, hidden: number, { rows: mostRows, characters }: QueryLimits) {
  const columns = statement.columns.slice(0, statement.columns.length - hidden);
  const citations = createCitations(statement.columns);
  const rows: Value[][] = [];
  let left = characters;
  let [isMore, isCut] = [false, false];
  while (statement.step()) {
    const row = statement.columns.map((_, column) => statement.value(column, Math.max(1, left)));
    const length = row.reduce((sum: number, value) => sum + String(value ?? '').length + 1, 0);
    if (rows.length === mostRows || (length > left && rows.length > 0)) {
      isMore = true;
      break;
    }
    isCut ||= length > left;
    left -= length;
    rows.push(row.slice(0, columns.length));
    citations.add(row);
  }
  const rest = isMore ? countRest(statement) : { count: -1, isCounted: true };
  const rowCount = rows.length + rest.count + 1;
  statement.close();
  const { cited } = citations;
  const notes = [
    ...(isMore ? [leftOut(rows.length, { rowCount, isCounted: rest.isCounted })] : []),
    ...(isCut ? ['long values are cut: select a part with substr(column, start, length)'] : []),
  ];
  const shown = { citations: cited.slice(0, mostCitations), moreCitations: Math.max(0, cited.length - mostCitations) };
  return { columns, rows, rowCount, isCounted: rest.isCounted, ...shown, notes };
}
