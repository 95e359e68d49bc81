import type { Column } from '../../value.ts';
import type { RecordRow, RecordTable } from '../reader.ts';
import type { RecordDocument } from '../record-document.ts';
import { createLineCounter } from './line-counter.ts';
import { type AnyRow, isBroken, type RowSource } from './rows/row.ts';
import { toValue, typeColumns } from './typed.ts';

const sampledRows = 500;

function* sample(rows: Iterable<AnyRow>): Generator<readonly (string | null)[]> {
  let count = 0;
  for (const row of rows) {
    if (count++ === sampledRows) return;
    if (!isBroken(row)) yield row.cells;
  }
}

function* numbered(document: RecordDocument, rows: Iterable<AnyRow>, columns: readonly Column[]): Generator<RecordRow> {
  const lineOf = createLineCounter(document);
  for (const row of rows) {
    const line = lineOf(row.startByte);
    if (isBroken(row)) yield { line, problem: row.problem };
    else yield { line, values: row.cells.map((cell, index) => toValue(cell, columns[index]!.type)) };
  }
}

/** Makes a table of rows of text: types its columns by the first rows, and numbers the lines. */
export function typedTable(document: RecordDocument, source: RowSource, about: string | null): RecordTable {
  const columns = typeColumns(source.columns, [...sample(source.rows())]);
  return { table: null, about, columns, rows: () => numbered(document, source.rows(), columns) };
}
