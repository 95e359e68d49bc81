import { type RecordDocument, type RecordTable, recordLines } from '../reader.ts';
import { type CellRow, type CellTable, cellOf, toCellRow, typedTable, uniqueNames } from './typed-table.ts';

const fewestRows = 2;
const mostTables = 500;

/** Lines of a page that are rows of one table: the reader of pages puts tabs between their cells. */
interface PageTable extends CellTable {
  /** The line above it; null where there is none. */
  readonly above: string | null;
  readonly found: CellRow[];
}

/** Finds the tables of a page: neighbouring lines with tabs. */
function tablesOf(document: RecordDocument): PageTable[] {
  const tables: PageTable[] = [];
  let open: PageTable | null = null;
  let above: string | null = null;
  for (const { line, text } of recordLines(document)) {
    if (!text.includes('\t')) {
      open = null;
      above = cellOf(text) ?? above;
      continue;
    }
    const cells = text.split('\t').map(cellOf);
    if (open !== null) open.found.push(toCellRow(line, cells, open.columns.length));
    else {
      const found: CellRow[] = [];
      open = { columns: uniqueNames(cells.map((cell) => cell ?? '')), above, found, rows: () => found };
      tables.push(open);
    }
  }
  return tables.filter(({ found }) => found.length >= fewestRows).slice(0, mostTables);
}

/** Finds the tables of a web page. */
export const findHtmlTables = (document: RecordDocument): readonly RecordTable[] =>
  document.kind === 'HTML' ? tablesOf(document).map((table) => typedTable(table, table.above?.slice(0, 80))) : [];
