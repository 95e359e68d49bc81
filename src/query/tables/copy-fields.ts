import { literal, quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import type { FilledTable } from './fill-table.ts';

/** Keys of fields that are also columns of the log, and keys that the operator `->>` reads as a path. */
const skipped = /^(?:@?timestamp|time|ts|date|level|severity|lvl|msg|message|event|logger|source|[$[].*)?$/is;
const mostFields = 100;

/** Copies the fields of a log into a separate table, so that each JSON object is parsed once. */
export function copyFields(database: Database, { name, columns }: FilledTable) {
  if (!columns.some((column) => column.name === 'fields' && column.type === 'JSON')) return [];
  const rows = database.rows(
    `SELECT key, count(*) FROM ${quoted(name)}, json_each(fields) WHERE type NOT IN ('object', 'array') GROUP BY 1 ORDER BY 2 DESC LIMIT ${mostFields}`,
  );
  const keys = rows.map(([key]) => String(key)).filter((key) => !skipped.test(key));
  if (keys.length === 0) return [];
  const table = `${name} fields`;
  const copied = keys.map((key, index) => ({
    key,
    sql: `fields->>${literal(key)}`,
    cells: { table, sql: `c${index}` },
  }));
  const selected = copied.map(({ sql, cells }) => `${sql} AS ${cells.sql}`).join(', ');
  database.run(`CREATE TABLE ${quoted(table)} AS SELECT ${selected} FROM ${quoted(name)}`);
  return copied;
}
