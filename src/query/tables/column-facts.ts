/** What is counted of the cells of a column. */
import { quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';

const isoTime = '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*';
const timeOfDay = '[0-2][0-9]:[0-5][0-9]*';
const offset = '[0-9][0-9]:[0-9][0-9]';
const yesAndNo = "('yes', 'no', 'true', 'false')";

/**
 * Counts the cells of a column. `distinct`: in any case. `amounts`: texts with digits. `zones`: different zones
 * of the times, where none is one of them. `range`: the largest number less the smallest.
 */
export function columnFacts(database: Database, { table, sql }: { readonly table: string; readonly sql: string }) {
  const number = `typeof(${sql}) IN ('integer', 'real')`;
  const counted = {
    told: `count(${sql})`,
    distinct: `count(DISTINCT lower(${sql}))`,
    spellings: `count(DISTINCT ${sql})`,
    numbers: `count(*) FILTER (WHERE ${number})`,
    amounts: `count(*) FILTER (WHERE typeof(${sql}) = 'text' AND ${sql} GLOB '*[0-9]*')`,
    decimals: `max(CASE WHEN typeof(${sql}) = 'real' THEN length(${sql}) - instr(${sql}, '.') ELSE 0 END)`,
    times: `count(*) FILTER (WHERE ${sql} GLOB '${isoTime}')`,
    clocks: `count(*) FILTER (WHERE length(${sql}) >= 16)`,
    dayless: `count(*) FILTER (WHERE ${sql} GLOB '${timeOfDay}' AND length(${sql}) <= 8)`,
    zones: `count(DISTINCT CASE WHEN ${sql} GLOB '*Z' THEN 'Z' WHEN ${sql} GLOB '*:*[+-]${offset}' THEN substr(${sql}, -6) ELSE '' END)`,
    flags: `count(*) FILTER (WHERE lower(${sql}) IN ${yesAndNo})`,
    range: `max(${sql}) FILTER (WHERE ${number}) - min(${sql}) FILTER (WHERE ${number})`,
  };
  const [row] = database.rows(`SELECT ${Object.values(counted).join(', ')} FROM ${quoted(table)}`);
  const told = Object.keys(counted).map((name, at) => [name, Number(row![at])]);
  return Object.fromEntries(told) as Record<keyof typeof counted, number>;
}

export type ColumnFacts = ReturnType<typeof columnFacts>;
