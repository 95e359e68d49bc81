import type { Value } from '../../value.ts';
import type { RecordReader, RecordRow, RecordTable } from '../reader.ts';
import { type NumberedLine, type RecordDocument, recordLines } from '../record-document.ts';
import { cellOf } from './rows/row.ts';
import { toValue, typeColumns } from './typed.ts';

const kinds: readonly string[] = ['HTML'];
const fewestRows = 2;
const mostTables = 500;

/** Lines of a page that are rows of one table: the reader of pages puts tabs between their cells. */
interface Block {
  readonly header: readonly string[];
  readonly about: string | null;
  readonly rows: (readonly [line: number, cells: readonly string[]])[];
}

const cellsOf = ({ text }: NumberedLine): string[] => text.split('\t').map((cell) => cell.trim());

/** Finds the tables of a page: neighbouring lines with tabs. The line above is what they are about. */
function blocksOf(document: RecordDocument): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let above: string | null = null;
  for (const numbered of recordLines(document)) {
    if (!numbered.text.includes('\t')) {
      open = null;
      if (numbered.text.trim() !== '') above = numbered.text.trim();
      continue;
    }
    const cells = cellsOf(numbered);
    if (open !== null) open.rows.push([numbered.line, cells]);
    else {
      open = { header: cells, about: above === null ? null : `below "${above.slice(0, 80)}"`, rows: [] };
      blocks.push(open);
    }
  }
  return blocks.filter(({ rows }) => rows.length >= fewestRows);
}

/** Makes names different from each other in any case; an empty one becomes `column2`. */
function namesOf(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    let name = cell === '' ? `column${index + 1}` : cell;
    while (taken.has(name.toLowerCase())) name = `${name}_${index + 1}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function tableOf({ header, about, rows }: Block): RecordTable {
  const cells = rows.map(([, row]) => row.map(cellOf));
  const columns = typeColumns(namesOf(header), cells);
  function* read(): Generator<RecordRow> {
    for (const [index, [line, row]] of rows.entries()) {
      if (row.length > columns.length) yield { line, problem: 'with more cells than the header' };
      else
        yield { line, values: columns.map(({ type }, column): Value => toValue(cells[index]![column] ?? null, type)) };
    }
  }
  return { table: null, about, columns, rows: read };
}

/** Tables of web pages. */
export const htmlTablesReader: RecordReader = {
  name: 'HTML tables',
  isBeside: false,
  find: (document) => (kinds.includes(document.kind) ? blocksOf(document).slice(0, mostTables).map(tableOf) : []),
};
