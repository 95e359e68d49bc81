import { cutText } from '../../base/text.ts';
import type { CitedLines } from '../../query/query-result.ts';
import { shownCell } from '../../tools/page.ts';
import { toText } from './calls.ts';
import { lineCharacters } from './hits.ts';
import { tell } from './problems.ts';

/** The SQL, the columns and the source lines of a query's rows. */
export interface Result {
  readonly sql: string;
  readonly columns: readonly string[];
  /** The source lines of the rows; only the first ones if there are many. */
  readonly places: readonly CitedLines[];
  /** `places` as text. */
  readonly from: string;
}

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

const results = new WeakMap<object, Result>();

/** Returns the SQL, columns and source lines of a query's rows; null for any other value. */
export const resultOf = (value: unknown): Result | null => results.get(value as object) ?? null;

/** Runs one SELECT; without SQL, describes the tables. Throws Error for wrong SQL. */
export function query(sql?: unknown): readonly Row[] | string {
  const args = sql === undefined ? [] : [toText(sql, 'the SQL')];
  const reply = host.wait(host.begin('query', JSON.stringify(args), '[]'));
  if (sql === undefined) return reply;
  const { columns: given, rows, notes, ...sources } = JSON.parse(reply);
  const columns = (given as string[]).map((name, at) => (given.indexOf(name) === at ? name : `${name}_${at + 1}`));
  for (const note of notes as string[]) tell(`query: ${note}`);
  const objects = (rows as Cell[][]).map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!])));
  results.set(objects, { sql: args[0]!, columns, ...sources });
  return objects;
}

/** Formats the column names, the rows, and the source lines of the rows, one below another. */
export function showRows(rows: readonly Row[], { columns, from }: Result): string {
  const lines = rows.map((row) => cutText(columns.map((name) => shownCell(row[name])).join(' | '), lineCharacters));
  const last = rows.length === 0 ? 'No row.' : from;
  return [columns.join(' | '), ...lines, ...(last === '' ? [] : [last])].join('\n');
}
