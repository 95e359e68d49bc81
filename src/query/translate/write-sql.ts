/** Writes the SQL of a reading, and states its result in words. */
import { counted, grouped } from '../../base/text.ts';
import type { Value } from '../query-result.ts';
import { literal, sqlName } from '../sql.ts';
import type { ProfiledColumn } from './profile.ts';
import type { QueryComputation, QueryReading } from './readings.ts';

const mostRows = 20;
const mostGroups = 50;
const moreDigits = 2;

type Rows = readonly (readonly Value[])[];
type Parts = Readonly<{ select: readonly string[]; where?: readonly string[]; end?: string }>;

/** Returns the condition that leaves out text cells, which SQLite would treat as 0. */
const onlyNumbers = ({ sql, hasTexts, kind }: ProfiledColumn): string[] =>
  hasTexts && kind !== 'time' ? [`typeof(${sql}) <> 'text'`] : [];

const isNotNull = ({ sql }: ProfiledColumn): string => `${sql} IS NOT NULL`;

/** A time is shown in the zone of the text, so that its day is the day that the text states. */
const shownSql = ({ sql, written }: ProfiledColumn): string => written ?? sql;

/** Sums of floats are inexact. A sum is rounded to the decimals of its numbers, and a mean to 2 more decimals. */
function aggregateSql(by: 'sum' | 'avg' | 'max' | 'min', column: ProfiledColumn): string {
  const { sql, decimals } = column;
  if (by === 'max' || by === 'min') return `${by}(${shownSql(column)})`;
  if (by === 'avg') return `round(avg(${sql}), ${decimals + moreDigits})`;
  return decimals === 0 ? `sum(${sql})` : `round(sum(${sql}), ${decimals})`;
}

const byGroup = (value: string, group: ProfiledColumn | null, where: readonly string[] = []): Parts =>
  group === null
    ? { select: [value], where }
    : { select: [group.sql, value], where, end: 'GROUP BY 1 ORDER BY 2 DESC, 1' };

function partsOf({ kind, column, group, by, order }: QueryComputation): Parts {
  if (kind === 'cells')
    return { select: [`DISTINCT ${shownSql(column!)}`], where: [isNotNull(column!)], end: `LIMIT ${mostRows + 1}` };
  if (kind === 'distinct') return byGroup(`count(DISTINCT ${column!.sql})`, group);
  const value = column === null ? 'count(*)' : by === null ? shownSql(column) : aggregateSql(by, column);
  const numbers = column === null ? [] : onlyNumbers(column);
  if (kind !== 'rank') return byGroup(value, group, numbers);
  const isOfRows = column !== null && by === null;
  const where = [...(isOfRows ? [] : [isNotNull(group!)]), ...(column === null ? [] : [isNotNull(column)]), ...numbers];
  const end = `ORDER BY 2 ${order === 'most' ? 'DESC' : 'ASC'} LIMIT ${mostRows}`;
  const [key, all] = [group?.sql ?? 'line', isOfRows ? 'DISTINCT ' : ''];
  return { select: [all + key, value], where, end: isOfRows ? end : `GROUP BY 1 ${end}` };
}

const whereSql = (all: readonly string[], name = ' WHERE '): string =>
  all.length === 0 ? '' : name + all.join(' AND ');
/** Returns the conditions as part of a sentence, so that the sentence claims only what the query shows. */
const ofRows = (conditions: readonly string[]): string => whereSql(conditions, ' where ');

export function sqlOf({ table, where, computation }: QueryReading): string {
  const parts = partsOf(computation);
  const rows = `FROM ${sqlName(table.name)}${whereSql([...where, ...(parts.where ?? [])])}`;
  return [`SELECT ${parts.select.join(', ')} ${rows}`, parts.end].filter(Boolean).join(' ');
}

export interface Stated {
  readonly words: string;
  /** Values of the result. Two readings agree if their values are equal. */
  readonly values: readonly Value[];
  readonly where: readonly string[];
}

/** Returns a value as words. A cell is shown as in the text, without separators between thousands. */
const shown = (value: Value, isCell: boolean): string =>
  typeof value === 'number' && !isCell ? grouped(value) : String(value ?? '(empty)');

/** The names of each computed value. Sentences use the first name. */
const computedNames = {
  count: ['count', 'number'],
  sum: ['sum', 'total'],
  avg: ['mean', 'average', 'avg'],
  max: ['highest', 'max', 'maximum'],
  min: ['lowest', 'min', 'minimum'],
} as const;

const extremeOf = (column: ProfiledColumn | null, isMost: boolean): string =>
  column?.kind === 'time' ? (isMost ? 'last' : 'first') : isMost ? 'highest' : 'lowest';

const lineOf = ([key, value]: readonly Value[], { kind, group, column, by }: QueryComputation): string =>
  (group ? `${shown(key!, true)}: ` : '') + shown(value!, kind === 'rank' && column !== null && by === null);

function stateNumber({ table, computation, where, filtered }: QueryReading, rows: Rows): Stated | null {
  const { kind, column, group, by } = computation;
  const isOne = by === 'max' || by === 'min';
  const counts = column === null ? 'number of rows' : `number of different values of ${column.name}`;
  const name = isOne ? extremeOf(column, by === 'max') : by && `${computedNames[by][0]} of`;
  const what = name === null ? counts : `${name} ${column!.name}`;
  const supporting = column === null ? where : [...where, isNotNull(column)];
  if (group !== null) {
    if (rows.length === 0 || rows.length > mostGroups) return null;
    const head = `The ${what} by ${group.name}${ofRows(where)}:`;
    const words = [head, ...rows.map((row) => `- ${lineOf(row, computation)}`)].join('\n');
    return { words, values: rows.flat(), where: supporting };
  }
  const value = rows[0]?.[0] ?? null;
  // If no row fits a number or two cells that the question names, the words may mean other columns or cells.
  const areOpen =
    filtered.some((one) => one.kind === 'number') || filtered.filter((one) => one.kind !== 'time').length > 1;
  if (value === null || (value === 0 && by === null && areOpen)) return null;
  const count = `${counted(Number(value), 'row')} of ${table.name} counted`;
  const words = `${kind === 'count' ? count : `${shown(value, isOne)} is the ${what}`}${ofRows(where)}.`;
  const own = isOne ? [`${shownSql(column!)} = ${literal(value)}`] : [];
  return { words, values: [value], where: [...supporting, ...own] };
}

/** States the top rows of a ranking; for a limit of 1, all rows that tie for the top. Null if the top is ambiguous. */
function stateRank({ computation, where }: QueryReading, rows: Rows): Stated | null {
  if (rows.length === 0) return null;
  const { limit, group, column, by, order } = computation;
  const bar = rows[Math.min(limit, rows.length) - 1]![1]!;
  const last = rows.findLastIndex(([, value]) => value === bar) + 1;
  const stated = rows.slice(0, last);
  // There is no top if all rows are equal, if equal rows are cut off, or if more rows tie than were asked for.
  const isOpen = last === mostRows || (limit > 1 && last > limit) || (last > 1 && last === rows.length && limit === 1);
  // A top row without a label cannot be named.
  if (isOpen || stated.some(([key]) => key === null)) return null;
  const name = column === null ? 'number of rows' : `${by === null ? '' : `${computedNames[by][0]} of `}${column.name}`;
  const what = `${extremeOf(column, order === 'most')} ${name}${ofRows(where)}`;
  const lines = stated.map((row) => lineOf(row, computation));
  const words =
    lines.length === 1
      ? `${lines[0]}. That is the ${what}.`
      : [`The ${what}:`, ...lines.map((line) => `- ${line}`)].join('\n');
  const rank = by === null && column !== null && limit === 1 ? [`${shownSql(column)} = ${literal(bar)}`] : [];
  if (group === null) return { words, values: stated.map(([, value]) => value!), where: [...where, ...rank] };
  const keys = stated.map(([key]) => literal(key!)).join(', ');
  const values = column?.kind === 'time' ? stated.map(([key]) => key!) : stated.flat();
  return { words, values, where: [...where, `${group.sql} IN (${keys})`, ...rank] };
}

function stateCells({ computation, where }: QueryReading, rows: Rows): Stated | null {
  const { isMany, column } = computation;
  if (rows.length === 0 || rows.length > (isMany ? mostRows : 1)) return null;
  const values = rows.map(([value]) => value!);
  if (values.includes('')) return null;
  const list = values.map((value) => shown(value, true)).join(', ');
  return { words: `${column!.name}${ofRows(where)}: ${list}`, values, where: [...where, isNotNull(column!)] };
}

/** Returns the result that the rows of a reading give; null without rows or for an ambiguous result. */
export function state(reading: QueryReading, rows: Rows): Stated | null {
  const { kind } = reading.computation;
  return (kind === 'rank' ? stateRank : kind === 'cells' ? stateCells : stateNumber)(reading, rows);
}

/** Returns, for each column of a reading's values, the names that may refer to it. */
export function valueNames({ table, computation }: QueryReading): readonly (readonly string[])[] {
  const { kind, column, group, by } = computation;
  const name = column?.name ?? table.name;
  if (kind === 'cells') return [[name]];
  if (kind === 'rank' && column?.kind === 'time') return [[group!.name]];
  const isCount = kind === 'distinct' || column === null;
  const words = isCount ? computedNames.count : by === null ? [] : computedNames[by];
  const value = [name, ...words, ...words.map((word) => `${word} ${name}`)];
  return group === null ? [value] : [[group.name], value];
}

export const placesSql = ({ table }: QueryReading, { where }: Stated, limit: number): string =>
  `SELECT document, line FROM ${sqlName(table.name)}${whereSql(where)} ORDER BY document, line LIMIT ${limit}`;

/** Describes the rows that the computation leaves out: rows with empty cells, and rows with text cells. */
export function leftOutNotes({ table, where, computation }: QueryReading, rowsOf: (sql: string) => Rows): string[] {
  const { kind, column } = computation;
  if (column === null || kind === 'distinct' || (column.kind === 'time' && kind !== 'cells')) return [];
  const { sql, name } = column;
  const texts = kind === 'cells' ? '0' : `count(*) FILTER (WHERE typeof(${sql}) = 'text')`;
  const rows = rowsOf(`SELECT count(*) - count(${sql}), ${texts} FROM ${sqlName(table.name)}${whereSql(where)}`);
  const [noCell, noNumber] = rows[0]!.map(Number);
  const left = (count: number, why: string) =>
    count > 0 ? [`${counted(count, 'row')} left out: ${name} is ${why}`] : [];
  return [...left(noCell!, 'empty'), ...left(noNumber!, 'not a number')];
}
