import { literal, quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import type { FilledTable } from './fill-table.ts';

/** Keys of fields that are also columns of the log, and keys that the operator `->>` reads as a path. */
const skipped = /^(?:@?timestamp|time|ts|date|level|severity|lvl|msg|message|event|logger|source|[$[].*)?$/is;
const mostFields = 100;

/** Copies a log's fields, so that JSON is parsed once. Returns views of the values of up to 100 frequent keys. */
export function copyFields(database: Database, { name, columns }: FilledTable) {
  if (!columns.some((column) => column.name === 'fields' && column.type === 'JSON')) return [];
  const copy = quoted(`${name} fields`);
  database.run(`CREATE TABLE ${copy} (key, line, value, isPlain, PRIMARY KEY (key, line)) WITHOUT ROWID`);
  // If an object has a key twice, the first value is copied, because `->>` also returns the first value.
  database.run(
    `INSERT OR IGNORE INTO ${copy} SELECT key, t.rowid, value, type NOT IN ('object', 'array') FROM ${quoted(name)} t, json_each(fields)`,
  );
  const counted = `SELECT key, total(isPlain) FROM ${copy} GROUP BY 1 HAVING total(isPlain) > 0 ORDER BY 2 DESC LIMIT ${mostFields}`;
  const keys = database.rows(counted).map(([key]) => String(key));
  return keys
    .filter((key) => !skipped.test(key))
    .map((key, index) => {
      const table = `${name} field ${index}`;
      database.run(`CREATE VIEW ${quoted(table)} AS SELECT value FROM ${copy} WHERE key = ${literal(key)}`);
      return { key, sql: `fields->>${literal(key)}`, cells: { table, sql: 'value' } };
    });
}
