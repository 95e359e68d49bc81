import type { Column, ColumnType, Value } from '../../query-result.ts';
import type { RecordRow, RecordTable } from '../reader.ts';

/**
 * The text of a row's cells, or why the line is no row. Cells at the end may be missing. A cell is null if it is empty
 * or not needed.
 */
export type CellRow =
  | { readonly line: number; readonly cells: readonly (string | null)[] }
  | Extract<RecordRow, { problem: string }>;

export interface CellTable {
  readonly columns: readonly string[];
  /** Each call starts at the first row. `wants` takes the index of a column. */
  rows(wants: (column: number) => boolean): Iterable<CellRow>;
}

/** The problem of a row that is wider than the header. */
const wideRow = 'with more fields than the header';

/** Does not match `007` and `1e5`, which are often names. */
const integer = /^-?(?:0|[1-9]\d{0,14})$/;
const real = /^-?(?:0|[1-9]\d{0,14})\.\d{1,20}$/;
/** Number of digits that a JavaScript number always keeps. */
const surelyKept = 15;
const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** Whether a JavaScript number keeps all digits of a number's text. */
export const keepsDigits = (text: string): boolean =>
  text.length <= surelyKept || digitsIn(text) <= surelyKept || String(Number(text)) === text;

/** Whether a text is a number whose digits a JavaScript number keeps. */
export const isNumber = (text: string): boolean => integer.test(text) || (real.test(text) && keepsDigits(text));

/** Minimum share of numbers in a numeric column. Its other cells may be words such as `pending`. */
const leastShare = 0.75;
const sampledRows = 500;

export function cellOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}

/** Makes column names unique. An empty name becomes `column 3` in the third column. */
export const uniqueNames = (names: readonly string[]): string[] =>
  names.map((name, index) => {
    if (name === '') return `column ${index + 1}`;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (column ${index + 1})`;
  });

/** Returns a row with at most one cell per column; a problem if cells beyond the columns are filled. */
export function toCellRow(line: number, cells: readonly (string | null)[], columns: number): CellRow {
  if (cells.length <= columns) return { line, cells };
  const hasMore = cells.slice(columns).some((cell) => cell !== null);
  return hasMore ? { line, problem: wideRow } : { line, cells: cells.slice(0, columns) };
}

const isVersionName = /^(?:.*[_\W])?(?:version|release)s?$/i;
const isAmountName =
  /price|cost|amount|fee|total|salary|weight|rate|score|duration|seconds|(?:^|[\W_])(?:eur|usd|kg|ms|s|%)$|[€$£]/i;
const decimalsOf = (text: string): number => text.length - text.indexOf('.') - 1;

/**
 * Whether the fractions of a column are versions: the column's name says so, or a fraction that ends in 0 is longer
 * than another fraction (`1.10` and `1.9`).
 */
function areNames(name: string, fractions: readonly string[]): boolean {
  if (isVersionName.test(name)) return fractions.length > 0;
  const fewest = Math.min(...fractions.map(decimalsOf));
  return !isAmountName.test(name) && fractions.some((text) => text.endsWith('0') && decimalsOf(text) > fewest);
}

function typeOf(name: string, filled: readonly string[]): ColumnType {
  const integers = filled.filter((value) => integer.test(value)).length;
  const fractions = filled.filter((value) => isNumber(value) && !integer.test(value));
  const numbers = integers + fractions.length;
  if (numbers === 0 || numbers < leastShare * filled.length || areNames(name, fractions)) return 'TEXT';
  return integers === numbers ? 'INTEGER' : 'REAL';
}

const noUnit = /^(?:-+|n\/?a|nan|none|null|nil|unknown|\?|tbd)$/i;

/** Whether a row holds the units of the columns: `[mm]`, or a word in a column of numbers. */
function areUnits(cells: readonly (string | null)[], columns: readonly Column[]): boolean {
  const are = columns.map(({ type }, index) => {
    const cell = cells[index] ?? '-';
    return noUnit.test(cell) ? null : /^(?:\[.*\]|\(.*\))$/.test(cell) || (type !== 'TEXT' && !isNumber(cell));
  });
  return columns.length > 1 && are.includes(true) && !are.includes(false);
}

/** Reads the types of the columns, and the line of a row of units below the header. */
function measure({ columns, rows }: CellTable): { columns: Column[]; unitsLine: number | null } {
  const sample: Extract<CellRow, { cells: unknown }>[] = [];
  let looked = 0;
  for (const row of rows(() => true)) {
    if ('cells' in row) sample.push(row);
    looked += 1;
    if (looked === sampledRows) break;
  }
  const filled = (first: number, index: number) => sample.slice(first).flatMap(({ cells }) => cells[index] ?? []);
  const typed = (first: number): Column[] =>
    columns.map((name, index) => ({ name, type: typeOf(name, filled(first, index)) }));
  const below = typed(1);
  const hasUnits = sample.length > 1 && areUnits(sample[0]!.cells, below);
  return { columns: hasUnits ? below : typed(0), unitsLine: hasUnits ? sample[0]!.line : null };
}

/** Matches a number whose point may separate thousands. */
const doubtful = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Collects the columns in which every point may separate thousands, or whose fractions may be versions. */
function createDoubts(columns: readonly Column[]) {
  /** By column, the first `doubtful` number; null if another number shows that the point is a decimal point. */
  const found = new Map<number, string | null>();
  const shapes = columns.map(() => ({ fewest: Number.POSITIVE_INFINITY, zeros: 0, last: '' }));
  return {
    see(index: number, cell: string): void {
      if (integer.test(cell)) return;
      const [shape, decimals] = [shapes[index]!, decimalsOf(cell)];
      shape.fewest = Math.min(shape.fewest, decimals);
      if (decimals > shape.zeros && cell.endsWith('0')) Object.assign(shape, { zeros: decimals, last: cell });
      if (!doubtful.test(cell)) found.set(index, null);
      else if (!found.has(index)) found.set(index, cell);
    },
    list: () =>
      columns.flatMap(({ name: column }, index) => {
        const [cell, { fewest, zeros, last }] = [found.get(index) ?? null, shapes[index]!];
        const points = `has ${cell} read as ${Number(cell)}: its points are decimal points`;
        const isVersion = zeros > fewest && !isAmountName.test(column);
        const version = `has ${last} read as ${Number(last)}, beside numbers of fewer decimals`;
        return [
          ...(cell === null ? [] : [{ column, about: points }]),
          ...(isVersion ? [{ column, about: version }] : []),
        ];
      }),
  };
}

const headerCells = 2;

/** Makes a typed table from a table of text cells. In numeric columns, cells that are numbers become numbers. */
export function typedTable(table: CellTable, above?: string): RecordTable {
  const { columns, unitsLine } = measure(table);
  const isNumeric = columns.map(({ type }) => type !== 'TEXT');
  const doubts = createDoubts(columns);
  const isHeader = (cells: readonly (string | null)[]): boolean =>
    columns.slice(0, headerCells).every(({ name }, index) => cells[index]?.toLowerCase() === name.toLowerCase());
  const typed = (cell: string | null, index: number): Value => {
    if (!isNumeric[index] || cell === null || !isNumber(cell)) return cell;
    doubts.see(index, cell);
    return Number(cell);
  };
  return {
    table: null,
    ...(above && { about: `below "${above}"` }),
    columns,
    doubts: doubts.list,
    *rows({ wants }) {
      const wanted = columns.map(({ name }) => wants(name));
      for (const row of table.rows((column) => column < headerCells || wanted[column]!)) {
        if ('problem' in row) yield row;
        else if (isHeader(row.cells)) yield { line: row.line, problem: 'that repeat the header' };
        else if (row.line === unitsLine) yield { line: row.line, problem: 'of units' };
        else
          yield { line: row.line, values: row.cells.map((cell, index) => (wanted[index] ? typed(cell, index) : null)) };
      }
    },
  };
}
