import { dittoMark } from '../../../context/document.ts';
import { type FindTables, type RecordDocument, type RecordTable, recordLines } from '../reader.ts';
import { type CellRow, cellOf, toCellRow, typedTable, uniqueNames } from './typed-table.ts';

const fewestRows = 2;
const mostTables = 500;

const withoutMark = (cell: string | null): string | null =>
  cell?.startsWith(dittoMark) ? cell.slice(dittoMark.length) : cell;

function openTable(names: readonly (string | null)[], above: string | null) {
  const columns = uniqueNames(names.map((cell) => withoutMark(cell) ?? ''));
  const found: CellRow[] = [];
  /** Columns with a cell that spans several rows. A number in such a cell may be the total of these rows. */
  const repeated = new Set<string>();
  return { columns, above, found, repeated, rows: () => found };
}

type PageTable = ReturnType<typeof openTable>;

/** Finds the tables of a page: lines with tabs, up to a blank line. In a table, a line without a tab is not a row. */
function tablesOf(document: RecordDocument): PageTable[] {
  const tables: PageTable[] = [];
  let open: PageTable | null = null;
  let above: string | null = null;
  for (const { line, text } of recordLines(document)) {
    const cells = text.split('\t').map(cellOf);
    if (cells.length === 1) {
      if (cells[0] === null) open = null;
      above = cells[0] ?? above;
      open?.found.push({ line, problem: 'of one cell' });
    } else if (open === null) {
      open = openTable(cells, above);
      tables.push(open);
    } else {
      for (const [index, name] of open.columns.entries())
        if (cells[index]?.startsWith(dittoMark)) open.repeated.add(name);
      open.found.push(toCellRow(line, cells.map(withoutMark), open.columns.length));
    }
  }
  return tables.filter(({ found }) => found.length >= fewestRows).slice(0, mostTables);
}

function toRecords(table: PageTable): RecordTable {
  const records = typedTable(table, table.above?.slice(0, 80));
  const about = 'has cells that span several rows, with their value in each';
  return {
    ...records,
    doubts: () => [...records.doubts!(), ...[...table.repeated].map((column) => ({ column, about }))],
  };
}

export const findHtmlTables: FindTables = (document) =>
  document.kind === 'HTML' ? tablesOf(document).map(toRecords) : [];
