import { counted } from '../../base/text.ts';
import type { Column, ColumnType, Value } from '../query-result.ts';
import type { Reading, RecordTable } from '../records/reader.ts';
import { isNumber } from '../records/tables/typed-table.ts';
import { createTimeReader, type TimeReader } from '../records/times.ts';
import { type aggregatedIn, quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import { createInserter } from '../sqlite/inserter.ts';
import { linesName, type PlannedTable, type TablePart } from './plan-tables.ts';

const fullDate = /(?<![\d.])((?:19|20)\d\d)-\d\d-\d\d(?!\d)/;
const lookedAtLines = 100;

/** Returns the year that the first lines of the documents name; null where none is named. */
function yearOf(planned: readonly PlannedTable[]): number | null {
  for (const { name, parts } of planned) {
    if (name === linesName) continue;
    for (const { document } of parts) {
      for (const line of document.head.slice(0, lookedAtLines)) {
        const year = fullDate.exec(line)?.[1];
        if (year !== undefined) return Number(year);
      }
    }
  }
  return null;
}

/** A reading, and what was noticed during it. */
export interface NotedReading extends Reading {
  /** The columns that the statement aggregates: see `aggregatedIn`. */
  readonly aggregated: ReturnType<typeof aggregatedIn>;
  notes(): readonly string[];
  /** The zones of the times: see `TimeReader`. */
  zones(): ReadonlySet<string>;
}

/**
 * Creates the reading of tables. Times without a year get the year that the documents name.
 * @param wants whether a column is needed.
 */
export function createReading(
  planned: readonly PlannedTable[],
  wants: Reading['wants'],
  aggregated: NotedReading['aggregated'] = new Map(),
): NotedReading {
  const year = yearOf(planned);
  const readers: TimeReader[] = [];
  return {
    wants,
    aggregated,
    times() {
      const reader = createTimeReader(year);
      readers.push(reader);
      return reader;
    },
    zones: () => new Set(readers.flatMap((reader) => [...reader.zones])),
    notes() {
      const formats = new Map(readers.flatMap((reader) => [...reader.formats]));
      const isYearless = year === null && readers.some((reader) => reader.lacksYear());
      const yearNote =
        'times without a year begin in the year 0000, since no document names the year; the next year follows where the months step back';
      const formatNote = `the text writes times in ${formats.size} formats (${[...formats.values()].join('; ')}); the column time has all in UTC`;
      return [...(isYearless ? [yearNote] : []), ...(formats.size > 1 ? [formatNote] : [])];
    },
  };
}

/** A document as rows name it: a part of one has the name of the whole. */
export interface RowOrigin {
  readonly name: string;
  /** Lines of the whole document before it. */
  readonly linesBefore: number;
}

/** A table with its rows. */
export interface FilledTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** What was noticed: rows that are only in `lines`. */
  readonly notes: readonly string[];
  /** Names of columns of numbers whose point may be one of thousands. */
  readonly doubtful: ReadonlySet<string>;
  /** The zones of the times that its reader converted: see `TimeReader`. */
  readonly zones: ReadonlySet<string>;
}

/** Columns that each row has. The number of a line is called `number` where the rows are lines. */
const lineColumn = (table: string): string => (table === 'lines' || table === 'headings' ? 'number' : 'line');

/** The type that a column is declared with; one of several types has none, so that SQLite keeps values as they are. */
const declaredAs = (type: ColumnType): string => (type === 'ANY' ? '' : type === 'JSON' ? 'TEXT' : type);

/** Returns a name that no column has yet, in any case. */
function freeName(name: string, taken: readonly Column[]): string {
  const has = (wanted: string) => taken.some((column) => column.name.toLowerCase() === wanted.toLowerCase());
  if (!has(name)) return name;
  for (let number = 2; ; number++) if (!has(`${name}_${number}`)) return `${name}_${number}`;
}

/** The columns of a table that grow with those of its parts. */
function createColumns({ name, parts }: PlannedTable) {
  const columns: Column[] = [
    { name: 'document', type: 'TEXT' },
    { name: lineColumn(name), type: 'INTEGER' },
  ];
  const places = new Map<string, number>();

  function placeOf({ name: wanted, type }: Column): number {
    const known = places.get(wanted);
    if (known === undefined) {
      places.set(wanted, columns.length);
      return columns.push({ name: freeName(wanted, columns), type }) - 1;
    }
    const before = columns[known]!;
    if (before.type !== type) columns[known] = { ...before, type: 'ANY' };
    return known;
  }
  for (const { records } of parts) records.columns.forEach(placeOf);
  return { columns, placeOf };
}

const columnSql = ({ name, type }: Column): string => `${quoted(name)} ${declaredAs(type)}`.trim();

/** Returns the columns of a table as they are known before its rows are read. */
export const columnsOf = (table: PlannedTable): readonly Column[] => createColumns(table).columns;

/** Matches amounts that are text: `1,234.50`, `12 km`, `$9`. A date or a name is none. */
const amount = /^[^\p{L}\d]{0,3}\d[\d.,'\s]*[^\d]{0,5}$/u;

/** Counts texts that a statement computes with: SQLite takes them as 0, or compares their letters. */
function createTexts(columns: readonly Column[], { aggregated }: Pick<NotedReading, 'aggregated'>) {
  const found = new Map<string, { count: number; readonly first: string; readonly place: string }>();
  const misleads = ({ name, type }: Column, value: string): boolean => {
    if (type === 'INTEGER' || type === 'REAL') return true;
    const use = aggregated.get(name.toLowerCase());
    return use === 'adds' ? !isNumber(value) : use === 'compares' && amount.test(value);
  };
  return {
    see(index: number, value: Value, line: Value, document: string): void {
      const { name } = columns[index]!;
      if (typeof value !== 'string' || !misleads(columns[index]!, value)) return;
      const known = found.get(name);
      if (known !== undefined) known.count++;
      else found.set(name, { count: 1, first: value.slice(0, 40), place: `line ${line} of ${document}` });
    },
    notes: (table: string): string[] =>
      [...found].map(
        ([name, { count, first, place }]) =>
          `${table}.${name} has ${counted(count, 'value')} that ${count === 1 ? 'is no number' : 'are no numbers'} (the first: '${first}', ${place}): sums take such a value as 0 or as its first digits, min and max compare letters`,
      ),
  };
}

/** Counts the rows that are no records, by what is wrong with them. */
function createBadRows() {
  const found = new Map<string, { count: number; readonly place: string }>();
  return {
    add(problem: string, place: string): void {
      const known = found.get(problem);
      if (known === undefined) found.set(problem, { count: 1, place });
      else known.count++;
    },
    notes: (table: string): string[] =>
      [...found].map(
        ([problem, { count, place }]) =>
          `${table} lacks ${counted(count, 'row')} ${problem} (the first: ${place}); lines has them`,
      ),
  };
}

/** Creates a table and fills the columns that are wanted. */
export function fillTable(
  database: Database,
  table: PlannedTable,
  origins: readonly RowOrigin[],
  reading: NotedReading,
): FilledTable {
  const { columns, placeOf } = createColumns(table);
  database.run(`CREATE TABLE ${quoted(table.name)} (${columns.map(columnSql).join(', ')})`);
  const bad = createBadRows();
  const texts = createTexts(columns, reading);
  let width = columns.length;
  let inserter = createInserter(database, quoted(table.name), width);
  let count = 0;

  /** Adds columns that a document brought while its rows were read. */
  function widen(records: RecordTable): number[] {
    const places = records.columns.map(placeOf);
    if (columns.length > width) {
      inserter.end();
      for (const column of columns.slice(width))
        database.run(`ALTER TABLE ${quoted(table.name)} ADD COLUMN ${columnSql(column)}`);
      width = columns.length;
      inserter = createInserter(database, quoted(table.name), width);
    }
    return places;
  }

  function addRows({ document, records }: TablePart): void {
    const { name, linesBefore } = origins[document.index]!;
    let places = widen(records);
    const isWanted = (place: number): boolean => reading.wants(columns[place]!.name);
    let wanted = places.map(isWanted);
    // A column may have another name in the table than in the document.
    const wants = (column: string): boolean => {
      const index = records.columns.findIndex((own) => own.name === column);
      return index === -1 || isWanted(placeOf(records.columns[index]!));
    };
    for (const row of records.rows({ ...reading, wants })) {
      if ('problem' in row) {
        bad.add(row.problem, `line ${row.line + linesBefore} of ${name}`);
        continue;
      }
      if (records.columns.length > places.length) {
        places = widen(records);
        wanted = places.map(isWanted);
      }
      const values: Value[] = new Array(width).fill(null);
      values[0] = name;
      values[1] = row.line + linesBefore;
      for (let index = 0; index < row.values.length; index++) {
        if (!wanted[index]) continue;
        const place = places[index]!;
        values[place] = row.values[index]!;
        texts.see(place, values[place]!, values[1]!, name);
      }
      inserter.add(values);
      count++;
    }
  }

  for (const part of table.parts) addRows(part);
  inserter.end();
  const doubts = table.parts.flatMap(({ records }) => records.doubts?.() ?? []);
  const read = doubts.map(({ column, about }) => `${table.name}.${column} ${about}`);
  const notes = [...bad.notes(table.name), ...texts.notes(table.name), ...new Set(read)];
  const doubtful = new Set(doubts.map(({ column }) => column));
  return { name: table.name, columns, rows: count, notes, doubtful, zones: reading.zones() };
}
