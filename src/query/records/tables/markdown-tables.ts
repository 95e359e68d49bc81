import { createFences, isFence } from '../../../context/fences.ts';
import { readBuffer } from '../../../context/shown-text.ts';
import { type FindTables, type NumberedLine, type RecordDocument, recordLines } from '../reader.ts';
import { type CellTable, cellOf, toCellRow, typedTable, uniqueNames } from './typed-table.ts';

const blockBytes = 1024 * 1024;
const mostTables = 500;
const mostColumns = 1000;
/** Each divider line with usual spacing contains one of these texts. A divider line is below a header. */
const dividers = ['-|', ':|', '- |', ': |'];
const divider = /^ {0,3}[|:-][ \t|:-]*$/;
const headingLine = /^ {0,3}#{1,6}[ \t]+(\S.*)$/;

/** Whether a document may contain a table. The check is quick for large texts. */
function mayHoldTable({ source, index, bytes }: RecordDocument): boolean {
  for (let at = 0; at < bytes; at += blockBytes) {
    const block = readBuffer(source, index, at, Math.min(bytes, at + blockBytes + 2));
    if (dividers.some((one) => block.includes(one))) return true;
  }
  return false;
}

const splitCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);

const marked = /[[<*~`\\]/;

/** Removes Markdown marks from a cell. The patterns are bounded, so that they take linear time. */
function plainCell(cell: string): string {
  if (!marked.test(cell)) return cell;
  return cell
    .replace(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/<br ?\/?>/gi, ' ')
    .replace(/\*\*|~~|`/g, '')
    .replace(/(^|\s)\*(?=\S)|(?<=\S)\*(?=\s|$)/g, '$1')
    .replace(/\\([|\\`*_[\]-])/g, '$1');
}

function isDivider(line: string): boolean {
  if (!divider.test(line)) return false;
  const cell = line.trimStart().startsWith('|') ? /^\s*:?-+:?\s*$/ : /^\s*:?-{3,}:?\s*$/;
  return splitCells(line).every((one) => cell.test(one));
}

function columnsOf(header: string | null, dividerLine: string): readonly string[] | null {
  if (!header?.includes('|')) return null;
  const names = splitCells(header).map((cell) => plainCell(cell).trim());
  const fits = names.length <= mostColumns && names.length === splitCells(dividerLine).length;
  return fits && names.some((name) => name !== '') ? uniqueNames(names) : null;
}

interface FoundTable {
  readonly columns: readonly string[];
  readonly heading: string;
  readonly lines: NumberedLine[];
}

/** Creates a finder of tables. Call `see` with every line in order. */
function createFinder() {
  const found: FoundTable[] = [];
  const fences = createFences();
  let open: FoundTable | null = null;
  let before: string | null = null;
  let heading = '';

  function see(numbered: NumberedLine): void {
    const line = numbered.text;
    if (open !== null && line.includes('|') && !isFence(line)) {
      open.lines.push(numbered);
      return;
    }
    open = null;
    const isText = !fences.covers(line);
    const columns = isText && isDivider(line) ? columnsOf(before, line) : null;
    if (columns !== null) {
      open = { columns, heading, lines: [] };
      found.push(open);
    }
    if (isText) heading = headingLine.exec(line)?.[1] ?? heading;
    before = isText && columns === null ? line : null;
  }
  return { found, see };
}

const toTable = ({ columns, heading, lines }: FoundTable): CellTable & { readonly heading: string } => ({
  columns,
  heading: plainCell(heading.replace(/[ \t]#+[ \t]*$/, '')),
  *rows() {
    for (const { line, text } of lines)
      yield toCellRow(
        line,
        splitCells(text).map((cell) => cellOf(plainCell(cell))),
        columns.length,
      );
  },
});

/** Finds the Markdown tables of a document, in order; none if the document has more than 500. */
export function findMarkdownTables(document: RecordDocument) {
  if (!mayHoldTable(document)) return [];
  const { found, see } = createFinder();
  for (const numbered of recordLines(document)) {
    see(numbered);
    if (found.length > mostTables) return [];
  }
  return found.map(toTable);
}

const kinds: readonly string[] = ['Markdown', 'markdown', 'text', 'notebook'];

export const findTablesOfMarkdown: FindTables = (document) =>
  kinds.includes(document.kind) ? findMarkdownTables(document).map((table) => typedTable(table, table.heading)) : [];
