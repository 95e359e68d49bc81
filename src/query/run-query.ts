import { nearest } from '../base/nearest.ts';
import { counted, listed } from '../base/text.ts';
import type { TextSource } from '../context/shown-text.ts';
import { RlmError } from '../errors.ts';
import type { QueryLimits, QueryResult } from './query-result.ts';
import { aggregatedIn, checkStatement, mentionsOf, placeColumns, sqlName, sqlTokensOf, withPlaces } from './sql.ts';
import { type Database, openDatabase, SqlError, type Statement } from './sqlite/database.ts';
import { addFunctions } from './sqlite/functions.ts';
import type { Sqlite } from './sqlite/start.ts';
import { columnsOf, createReading, type FilledTable, fillTable, type RowOrigin } from './tables/fill-table.ts';
import { type PlannedTable, planTables, tableBytes } from './tables/plan-tables.ts';
import { readResult, tellsPlaces } from './tables/read-result.ts';

const mostListed = 30;

function listTables(planned: readonly PlannedTable[]): string {
  const shown = planned.slice(0, mostListed).map((table) => {
    const columns = columnsOf(table).map(({ name }) => sqlName(name));
    const named = listed(columns.slice(0, mostListed), columns.length - mostListed, 'column');
    return `${sqlName(table.name)}(${named})`;
  });
  return `The tables are ${listed(shown, planned.length - shown.length, 'table')}.`;
}

function nameHint(message: string, planned: readonly PlannedTable[]): string | null {
  const [, kind, name] = /^no such (table|column): (?:.*\.)?(.+)$/.exec(message) ?? [];
  if (name === undefined) return null;
  const columnNames = (table: PlannedTable) => columnsOf(table).map((column) => column.name);
  const isSame = (column: string) => column.toLowerCase() === name.toLowerCase();
  const holders = kind === 'column' ? planned.filter((table) => columnNames(table).some(isSame)) : [];
  if (holders.length > 0) return `${name} is a column of ${holders.map((table) => table.name).join(', ')}.`;
  const known = planned.flatMap((table) => (kind === 'table' ? table.name : columnNames(table)));
  const near = nearest(name, [...new Set(known)]);
  return near === null ? null : `Did you mean ${sqlName(near)}?`;
}

export interface QueryText {
  readonly source: TextSource;
  /** For each document: the name that its rows cite, and the number of lines before its first line. */
  readonly origins: readonly RowOrigin[];
}

const megabyte = 1_000_000;

function checkSize(tables: readonly PlannedTable[], { megabytes }: QueryLimits): void {
  const bytes = tableBytes(tables);
  if (bytes <= megabytes * megabyte) return;
  const names = tables.map(({ name }) => name).join(', ');
  const size = counted(Math.ceil(bytes / megabyte), 'MB', 'MB');
  const problem = `${names} would be read from ${size} of text; a query reads at most ${megabytes} MB`;
  const hint = 'Give fewer files, or raise query.maxMegabytes in the configuration.';
  throw new RlmError('query-limit', problem, { hint });
}

function toQueryError(error: unknown, planned: readonly PlannedTable[]): unknown {
  if (!(error instanceof SqlError)) return error;
  const hints = [nameHint(error.message, planned), listTables(planned)].filter((hint) => hint !== null);
  return new RlmError('query-invalid', error.message, { hint: hints.join(' ') });
}

/** Fills the tables that the SQL names. Returns notes on their rows. */
function fillNamed(
  database: Database,
  planned: readonly PlannedTable[],
  text: QueryText,
  sql: string,
  limits: QueryLimits,
) {
  const tokens = sqlTokensOf(sql);
  const mentions = mentionsOf(tokens);
  const named = planned.filter(({ name }) => mentions.has(name));
  checkSize(named, limits);
  const reading = createReading(planned, (column) => mentions.isAll || mentions.has(column), aggregatedIn(tokens));
  database.run('BEGIN');
  const filled = named.map((table): FilledTable => fillTable(database, table, text.origins, reading));
  database.run('COMMIT');
  return [...filled.flatMap(({ notes }) => notes), ...reading.notes()];
}

function prepareOne(database: Database, sql: string): Statement {
  const statement = database.prepare(sql);
  if (statement === null || sqlTokensOf(statement.rest).some(({ text }) => text !== ';'))
    throw new RlmError('query-invalid', 'there is more than one statement', { hint: 'Write one statement.' });
  return statement;
}

const aggregates = (database: Database, sql: string): boolean =>
  database.rows(`EXPLAIN ${sql}`).some((row) => /^(?:AggStep|Count$)/.test(String(row[1])));

/** Prepares the statement with document and line of each row as further columns; null if that is not possible. */
function prepareWithPlaces(database: Database, sql: string): Statement | null {
  const tokens = sqlTokensOf(sql);
  for (const line of ['line', 'number'] as const) {
    try {
      const placed = withPlaces(sql, tokens, line);
      return placed === null ? null : database.prepare(placed);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
    }
  }
  return null;
}

function readRows(database: Database, sql: string, limits: QueryLimits): Omit<QueryResult, 'sql' | 'timeMs'> {
  const statement = prepareOne(database, sql);
  const isAggregate = sqlTokensOf(sql)[0]!.text !== 'explain' && aggregates(database, sql);
  const placed = isAggregate || tellsPlaces(statement.columns) ? null : prepareWithPlaces(database, sql);
  if (placed === null) return { ...readResult(statement, 0, limits), isAggregate };
  statement.close();
  return { ...readResult(placed, placeColumns, limits), isAggregate };
}

/**
 * Runs one statement over the tables of a text.
 * @throws RlmError for wrong SQL and reached limits.
 */
export function runQuery(sqlite: Sqlite, text: QueryText, sql: string, limits: QueryLimits): QueryResult {
  const startedAt = performance.now();
  checkStatement(sqlTokensOf(sql));
  const planned = planTables(text.source);
  try {
    const database = openDatabase(sqlite);
    addFunctions(database);
    const fillNotes = fillNamed(database, planned, text, sql, limits);
    database.run('PRAGMA query_only = ON');
    const read = readRows(database, sql, limits);
    const notes = [...fillNotes, ...read.notes];
    const timeMs = Math.round(performance.now() - startedAt);
    return { ...read, sql, timeMs, notes };
  } catch (error) {
    throw toQueryError(error, planned);
  }
}
