import type { CitedLines } from '../../query/query-result.ts';
import { cutText, shownCell } from '../../tools/page.ts';
import { toText } from './calls.ts';
import { lineCharacters } from './hits.ts';
import { tell } from './problems.ts';

/** What is known of the rows of a query. */
export interface Result {
  readonly sql: string;
  readonly columns: readonly string[];
  /** The first of many. */
  readonly places: readonly CitedLines[];
  /** The same in words. */
  readonly from: string;
}

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

const results = new WeakMap<object, Result>();

/** Returns what is known of a value that is the rows of a query; null for any other value. */
export const resultOf = (value: unknown): Result | null => results.get(value as object) ?? null;

/** Runs one SELECT and returns its rows; without SQL the tables, in words. Throws Error for wrong SQL and limits. */
export function query(sql?: unknown): readonly Row[] | string {
  const args = sql === undefined ? [] : [toText(sql, 'the SQL')];
  const reply = host.wait(host.begin('query', JSON.stringify(args), '[]'));
  if (sql === undefined) return reply;
  const { columns: given, rows, notes, ...known } = JSON.parse(reply);
  const columns = (given as string[]).map((name, at) => (given.indexOf(name) === at ? name : `${name}_${at + 1}`));
  for (const note of notes as string[]) tell(`query: ${note}`);
  const objects = (rows as Cell[][]).map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!])));
  results.set(objects, { sql: args[0]!, columns, ...known });
  return objects;
}

/** Returns the rows of a query as lines, with the names of their columns and where they stand. */
export function showRows(rows: readonly Row[], { columns, from }: Result): string {
  const lines = rows.map((row) => cutText(columns.map((name) => shownCell(row[name])).join(' | '), lineCharacters));
  const last = rows.length === 0 ? 'No row.' : from;
  return [columns.join(' | '), ...lines, ...(last === '' ? [] : [last])].join('\n');
}
