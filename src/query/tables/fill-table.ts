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

function yearOf(planned: readonly PlannedTable[]) {
  const parts = planned.filter(({ name }) => name !== linesName).flatMap((table) => table.parts);
  for (const { document } of parts) {
    const dated = fullDate.exec(document.head.slice(0, 100).join('\n'));
    if (dated !== null) return { year: Number(dated[1]), name: document.name };
  }
  return null;
}

export type NotedReading = ReturnType<typeof createReading>;

/** Creates the options for reading tables. Times without a year get the year that the documents name. */
export function createReading(
  planned: readonly PlannedTable[],
  wants: Reading['wants'],
  aggregated: ReturnType<typeof aggregatedIn> = new Map(),
) {
  const named = yearOf(planned);
  const readers: TimeReader[] = [];
  return {
    wants,
    aggregated,
    times(): TimeReader {
      const reader = createTimeReader(named?.year ?? null);
      readers.push(reader);
      return reader;
    },
    notes(): string[] {
      const formats = new Map(readers.flatMap((reader) => [...reader.formats]));
      const isYearless = readers.some((reader) => reader.lacksYear());
      const year = named === null ? '0000, since no document names the year' : `${named.year}, as in ${named.name}`;
      const yearNote = `times without a year begin in the year ${year}; where the months go back, the next year begins`;
      const formatNote = `the text writes times in ${formats.size} formats (${[...formats.values()].join('; ')}); the column time contains all of them in UTC`;
      return [...(isYearless ? [yearNote] : []), ...(formats.size > 1 ? [formatNote] : [])];
    },
  };
}

/** The document that rows cite. Rows of a part of a document cite the whole document. */
export interface RowOrigin {
  readonly name: string;
  /** Number of lines of the whole document before this part. */
  readonly linesBefore: number;
}

const lineColumnOf = (table: string): string => (table === 'lines' || table === 'headings' ? 'number' : 'line');

/** ANY is declared without a type, so that SQLite keeps values as they are. */
const declaredAs = (type: ColumnType): string => (type === 'ANY' ? '' : type === 'JSON' ? 'TEXT' : type);

function freeName(name: string, taken: readonly Column[]): string {
  const has = (wanted: string) => taken.some((column) => column.name.toLowerCase() === wanted.toLowerCase());
  if (!has(name)) return name;
  for (let number = 2; ; number++) if (!has(`${name}_${number}`)) return `${name}_${number}`;
}

/** Maximum number of columns of an SQLite table: https://www.sqlite.org/limits.html */
const mostColumns = 2_000;

function createColumns({ name, parts }: PlannedTable) {
  const columns: Column[] = [
    { name: 'document', type: 'TEXT' },
    { name: lineColumnOf(name), type: 'INTEGER' },
  ];
  const places = new Map<string, number>();
  const leftOut = new Set<string>();

  function placeOf({ name: wanted, type }: Column): number {
    const known = places.get(wanted);
    if (known === undefined) {
      if (columns.length === mostColumns) {
        leftOut.add(wanted);
        return -1;
      }
      places.set(wanted, columns.length);
      return columns.push({ name: freeName(wanted, columns), type }) - 1;
    }
    const before = columns[known]!;
    if (before.type !== type) columns[known] = { ...before, type: 'ANY' };
    return known;
  }
  for (const { records } of parts) records.columns.forEach(placeOf);
  return { columns, placeOf, leftOut };
}

const columnSql = ({ name, type }: Column): string => `${quoted(name)} ${declaredAs(type)}`.trim();

/** Returns the columns of a table that are known before its rows are read. */
export const columnsOf = (table: PlannedTable): readonly Column[] => createColumns(table).columns;

/** Matches amounts written as text: `1,234.50`, `12 km`, `$9`. */
const amount = /^[^\p{L}\d]{0,3}\d[\d.,'\s]*[^\d]{0,5}$/u;

function createTally() {
  const found = new Map<string, { count: number; readonly first: string }>();
  return {
    add(key: string, first: () => string): void {
      const known = found.get(key);
      if (known === undefined) found.set(key, { count: 1, first: first() });
      else known.count++;
    },
    notes: (noteOf: (key: string, count: number, first: string) => string): string[] =>
      [...found].map(([key, { count, first }]) => noteOf(key, count, first)),
  };
}

const badNote = (table: string, problem: string, count: number, place: string): string =>
  `${table} lacks ${counted(count, 'row')} ${problem} (the first: ${place}); the table lines contains them`;

const textNote = (column: string, count: number, first: string): string =>
  `${column} has ${counted(count, 'value')} that ${count === 1 ? 'is no number' : 'are no numbers'} (the first: ${first}): sums take such a value as 0 or as its first digits, min and max compare letters`;

const fullNote = (table: string, leftOut: readonly string[]): string =>
  `${table} has no room for ${counted(leftOut.length, 'column')} (the first: ${leftOut[0]!.slice(0, 40)}); the table lines contains them`;

/** Whether the column or the statement expects a number. SQLite then takes a text as 0, or compares its letters. */
function misleads({ name, type }: Column, value: string, { aggregated }: NotedReading): boolean {
  if (type === 'INTEGER' || type === 'REAL') return true;
  const use = aggregated.get(name.toLowerCase());
  return use === 'adds' ? !isNumber(value) : use === 'compares' && amount.test(value);
}

/** Returns text with composed letters, so that equal words are equal values: https://unicode.org/reports/tr15/ */
const composed = (value: Value): Value =>
  typeof value === 'string' && /[\u0300-\u036f]/.test(value) ? value.normalize('NFC') : value;

function createTable(database: Database, table: PlannedTable, { wants }: NotedReading) {
  const { columns, placeOf, leftOut } = createColumns(table);
  const name = quoted(table.name);
  database.run(`CREATE TABLE ${name} (${columns.map(columnSql).join(', ')})`);
  let width = columns.length;
  const large = new Set<string>();
  let inserter = createInserter(database, name, columns, large);
  const isWanted = (place: number): boolean => place !== -1 && wants(columns[place]!.name);
  return {
    columns: columns as readonly Column[],
    leftOut: leftOut as ReadonlySet<string>,
    isWanted: (column: Column): boolean => isWanted(placeOf(column)),
    /** Returns the table index of each column of a document; -1 for a column that is not needed or has no room. */
    placesOf(records: RecordTable): number[] {
      const places = records.columns.map(placeOf);
      if (columns.length > width) {
        inserter.end();
        for (const column of columns.slice(width)) database.run(`ALTER TABLE ${name} ADD COLUMN ${columnSql(column)}`);
        width = columns.length;
        inserter = createInserter(database, name, columns, large);
      }
      return places.map((place) => (isWanted(place) ? place : -1));
    },
    add: (values: readonly Value[]): void => inserter.add(values),
    end(): void {
      inserter.end();
      // Integers that were bound as REAL become INTEGER again. Integers from 2^53 on are not exact and stay REAL.
      for (const column of large)
        database.run(
          `UPDATE ${name} SET ${column} = CAST(${column} AS INTEGER) WHERE typeof(${column}) = 'real' AND abs(${column}) < 9007199254740992 AND ${column} = CAST(${column} AS INTEGER)`,
        );
    },
  };
}

export type FilledTable = Readonly<ReturnType<typeof fillTable>>;

export function fillTable(
  database: Database,
  planned: PlannedTable,
  origins: readonly RowOrigin[],
  reading: NotedReading,
) {
  const table = createTable(database, planned, reading);
  const { columns, leftOut } = table;
  const [bad, texts] = [createTally(), createTally()];
  const readers: TimeReader[] = [];
  let rows = 0;

  function times(): TimeReader {
    const reader = reading.times();
    readers.push(reader);
    return reader;
  }

  function addRows({ document, records }: TablePart): void {
    const { name, linesBefore } = origins[document.index]!;
    let places = table.placesOf(records);
    // A column may have another name in the table than in the document.
    const wants = (column: string): boolean => {
      const own = records.columns.find((one) => one.name === column);
      return own === undefined || table.isWanted(own);
    };
    for (const row of records.rows({ wants, times })) {
      const line = row.line + linesBefore;
      if ('problem' in row) {
        bad.add(row.problem, () => `line ${line} of ${name}`);
        continue;
      }
      if (records.columns.length > places.length) places = table.placesOf(records);
      const values: Value[] = new Array(columns.length).fill(null);
      [values[0], values[1]] = [name, line];
      for (let index = 0; index < row.values.length; index++) {
        const [place, value] = [places[index]!, row.values[index]!];
        if (place === -1) continue;
        values[place] = composed(value);
        if (typeof value === 'string' && misleads(columns[place]!, value, reading))
          texts.add(columns[place]!.name, () => `'${value.slice(0, 40)}', line ${line} of ${name}`);
      }
      table.add(values);
      rows++;
    }
  }

  for (const part of planned.parts) addRows(part);
  table.end();
  const { name } = planned;
  const withoutRoom = [
    ...new Set([...leftOut, ...planned.parts.flatMap(({ records }) => [...(records.leftOut ?? [])])]),
  ];
  const doubts = planned.parts.flatMap(({ records }) => records.doubts?.() ?? []);
  const notes = [
    ...bad.notes((problem, count, place) => badNote(name, problem, count, place)),
    ...texts.notes((column, count, first) => textNote(`${name}.${column}`, count, first)),
    ...(withoutRoom.length === 0 ? [] : [fullNote(name, withoutRoom)]),
    ...new Set(doubts.map(({ column, about }) => `${name}.${column} ${about}`)),
  ];
  const doubtful = new Set(doubts.map(({ column }) => column));
  const zones: ReadonlySet<string> = new Set(readers.flatMap((reader) => [...reader.zones]));
  return { name, columns, rows, notes, doubtful, zones };
}
