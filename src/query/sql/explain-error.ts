import { listed } from '../../base/counted.ts';
import { nearest } from '../../base/nearest.ts';
import { columnsOf } from '../tables/fill-table.ts';
import type { PlannedTable } from '../tables/plan-tables.ts';
import { QueryError } from '../thread/query-error.ts';
import { sqlName } from './keywords.ts';

const mostListed = 30;

/** Lists tables with their columns, the first of many. */
function listTables(planned: readonly PlannedTable[]): string {
  const shown = planned.slice(0, mostListed).map(
    (table) =>
      `${sqlName(table.name)}(${columnsOf(table)
        .map(({ name }) => sqlName(name))
        .join(', ')})`,
  );
  return `The tables are ${listed(shown, planned.length - shown.length, 'table')}.`;
}

/** Names the tables that have a column. */
function holdersOf(column: string, planned: readonly PlannedTable[]): string | null {
  const holders = planned.filter((table) =>
    columnsOf(table).some(({ name }) => name.toLowerCase() === column.toLowerCase()),
  );
  return holders.length === 0 ? null : `${column} is a column of ${holders.map(({ name }) => name).join(', ')}`;
}

/** Returns what a name that is not there may mean; null where nothing is near. */
function meant(message: string, planned: readonly PlannedTable[]): string | null {
  const [, kind, name] = /^no such (table|column): (?:.*\.)?(.+)$/.exec(message) ?? [];
  if (name === undefined) return null;
  if (kind === 'column') {
    const holders = holdersOf(name, planned);
    if (holders !== null) return holders;
  }
  const known =
    kind === 'table'
      ? planned.map((table) => table.name)
      : planned.flatMap((table) => columnsOf(table).map((column) => column.name));
  const near = nearest(name, [...new Set(known)]);
  return near === null ? null : `Did you mean ${sqlName(near)}?`;
}

/** Makes the error for what SQLite says is wrong: with the nearest name, and the tables. */
export function explainError(message: string, planned: readonly PlannedTable[]): QueryError {
  const near = meant(message, planned);
  return new QueryError('query-invalid', message, [...(near === null ? [] : [near]), listTables(planned)].join(' '));
}
