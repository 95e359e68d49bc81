/** The SQL of a reading, and what its rows state in words. */
import { counted, grouped } from '../../base/text.ts';
import type { Value } from '../query-result.ts';
import { literal, sqlName } from '../sql.ts';
import type { ProfiledColumn } from './profile.ts';
import type { QueryComputation, QueryReading } from './readings.ts';

/** Rows of a ranking or a list, at most. */
const mostRows = 20;
/** Groups that are stated, at most. */
const mostGroups = 50;
/** Extra decimals of a mean, beyond those of its numbers. */
const moreDigits = 2;

/** A statement of SQL in its parts. */
interface Parts {
  readonly select: readonly string[];
  readonly where?: readonly string[];
  readonly end?: string;
}

/** Returns the condition that a cell is no text, which SQLite would take as 0. */
const isNumber = ({ sql, hasTexts }: ProfiledColumn): string[] => (hasTexts ? [`typeof(${sql}) <> 'text'`] : []);

const isTold = ({ sql }: ProfiledColumn): string => `${sql} IS NOT NULL`;

/** Writes an aggregate. Rounds a sum to the decimals of its numbers and a mean to a few more: floats add inexactly. */
function aggregateSql(by: 'sum' | 'avg' | 'max' | 'min', { sql, decimals }: ProfiledColumn): string {
  if (by === 'max' || by === 'min') return `${by}(${sql})`;
  if (by === 'avg') return `round(avg(${sql}), ${decimals + moreDigits})`;
  return decimals === 0 ? `sum(${sql})` : `round(sum(${sql}), ${decimals})`;
}

const direction = (order: 'most' | 'least'): string => (order === 'most' ? 'DESC' : 'ASC');

/** Returns the cell in lower case where it has several spellings. */
const folded = ({ sql, isFolded }: ProfiledColumn, cell = sql): string => (isFolded ? `lower(${cell})` : cell);

/** Groups by a column, and orders by a value. Of several spellings, the one in the first line (`min(line)`) shows. */
const groupedSql = (group: ProfiledColumn, way: string, ties: string): string =>
  `GROUP BY ${group.isFolded ? folded(group) : '1'} ORDER BY 2 ${way}${group.isFolded ? ', min(line)' : ties}`;

function byGroup(value: string, group: ProfiledColumn | null, where: readonly string[] = []): Parts {
  if (group === null) return { select: [value], where };
  return { select: [group.sql, value], where, end: groupedSql(group, 'DESC', ', 1') };
}

function rankParts({ label, of, by, order }: Extract<QueryComputation, { kind: 'rank' }>): Parts {
  const way = direction(order);
  const where = of === null ? [] : [isTold(of), ...isNumber(of)];
  if (of !== null && by === null)
    return { select: [label?.sql ?? 'line', of.sql], where, end: `ORDER BY 2 ${way} LIMIT ${mostRows}` };
  const value = of === null ? 'count(*)' : aggregateSql(by!, of);
  return {
    select: [label!.sql, value],
    where: [isTold(label!), ...where],
    end: `${groupedSql(label!, way, '')} LIMIT ${mostRows}`,
  };
}

function edgeParts({ time, column, order }: Extract<QueryComputation, { kind: 'edge' }>): Parts {
  const way = direction(order);
  const end = `ORDER BY ${time.sql} ${way}, document, line ${way} LIMIT 2`;
  return { select: [column === time ? 'line' : (column?.sql ?? 'line'), time.sql], end };
}

function partsOf(computation: QueryComputation): Parts {
  switch (computation.kind) {
    case 'count':
      return byGroup('count(*)', computation.group);
    case 'distinct':
      return byGroup(`count(DISTINCT ${folded(computation.column)})`, computation.group);
    case 'aggregate': {
      const { by, column, group } = computation;
      return byGroup(aggregateSql(by, column), group, isNumber(column));
    }
    case 'rank':
      return rankParts(computation);
    case 'edge':
      return edgeParts(computation);
    case 'cells': {
      const { column } = computation;
      return { select: [`DISTINCT ${column.sql}`], where: [isTold(column)], end: `LIMIT ${mostRows + 1}` };
    }
  }
}

const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;

/** Writes the SQL that computes a reading. */
export function sqlOf({ table, where, computation }: QueryReading): string {
  const parts = partsOf(computation);
  const rows = `FROM ${sqlName(table.name)}${whereSql([...where, ...(parts.where ?? [])])}`;
  return [`SELECT ${parts.select.join(', ')} ${rows}`, parts.end].filter(Boolean).join(' ');
}

/** What the rows of a reading state. */
export interface Stated {
  readonly words: string;
  /** The stated values. Two readings agree when these are equal. */
  readonly values: readonly Value[];
  /** Conditions that select the rows which support the statement, and the order of these rows. */
  readonly where: readonly string[];
  readonly order: string;
}

const shown = (value: Value): string =>
  typeof value === 'number' && Number.isInteger(value) ? grouped(value) : String(value ?? '(empty)');

const aggregateWords = { sum: 'sum', avg: 'mean', max: 'highest', min: 'lowest' } as const;

type Rows = readonly (readonly Value[])[];

/** States groups with their values. */
function groupsWords(rows: Rows, what: string, group: ProfiledColumn): string | null {
  if (rows.length === 0 || rows.length > mostGroups) return null;
  return [`The ${what} by ${group.name}:`, ...rows.map(([key, value]) => `- ${shown(key!)}: ${shown(value!)}`)].join(
    '\n',
  );
}

function stateNumber({ computation, where }: QueryReading, rows: Rows): Omit<Stated, 'order'> | null {
  if (computation.kind !== 'count' && computation.kind !== 'distinct' && computation.kind !== 'aggregate') return null;
  const { group } = computation;
  const column = computation.kind === 'count' ? null : computation.column;
  const what =
    computation.kind === 'count'
      ? 'number of rows'
      : computation.kind === 'distinct'
        ? `number of different values of ${column!.name}`
        : `${aggregateWords[computation.by]} ${computation.by === 'max' || computation.by === 'min' ? '' : 'of '}${column!.name}`;
  const told = column === null ? where : [...where, isTold(column)];
  if (group !== null) {
    const words = groupsWords(rows, what, group);
    return words === null ? null : { words, values: rows.flat(), where: told };
  }
  const value = rows[0]?.[0] ?? null;
  if (value === null) return null;
  const isOne = computation.kind === 'aggregate' && (computation.by === 'max' || computation.by === 'min');
  const end = isOne ? [...told, `${column!.sql} = ${literal(value)}`] : told;
  const words =
    computation.kind === 'count' ? `${counted(Number(value), 'row')} counted.` : `${shown(value)} is the ${what}.`;
  return { words, values: [value], where: end };
}

/** States the first rows of a ranking; of one first, all that are equal to it. Null when ties leave the first open. */
function stateRank({ computation, where }: QueryReading, rows: Rows): Omit<Stated, 'order'> | null {
  if (computation.kind !== 'rank' || rows.length === 0) return null;
  const { limit, label, of, by, order } = computation;
  const bar = rows[Math.min(limit, rows.length) - 1]![1]!;
  const last = rows.findLastIndex(([, value]) => value === bar) + 1;
  const stated = rows.slice(0, last);
  // Where all are equal, or equal rows are cut off, or more than those asked for are equal, none is the first.
  const isOpen = last === mostRows || (limit > 1 && last > limit) || (last > 1 && last === rows.length && limit === 1);
  // The first row of all may be one without a label.
  if (isOpen || stated.some(([key]) => key === null)) return null;
  const what = of === null ? 'number of rows' : `${by === null ? '' : `${aggregateWords[by]} of `}${of.name}`;
  const side = order === 'most' ? 'highest' : 'lowest';
  const lines = stated.map(([key, value]) => (label === null ? shown(value!) : `${shown(key!)}: ${shown(value!)}`));
  const words =
    lines.length === 1
      ? `${lines[0]}. That is the ${side} ${what}.`
      : [`The ${side} ${what}:`, ...lines.map((line) => `- ${line}`)].join('\n');
  const rank = by === null && of !== null ? [`${of.sql} = ${literal(bar)}`] : [];
  const keys = label === null ? [] : stated.map(([key]) => folded(label, literal(key!)));
  const inKeys = label === null ? [] : [`${folded(label)} IN (${keys.join(', ')})`];
  const values = label === null ? stated.map(([, value]) => value!) : stated.flat();
  return { words, values, where: [...where, ...inKeys, ...(limit === 1 ? rank : [])] };
}

function stateEdge({ computation, where }: QueryReading, rows: Rows): Stated | null {
  const [first, second] = rows;
  if (computation.kind !== 'edge' || first === undefined || first[0] === null) return null;
  const { time, column, order } = computation;
  const isTie = second !== undefined && second[1] === first[1] && second[0] !== first[0];
  if (isTie && column !== null && column !== time) return null;
  const side = order === 'most' ? 'last' : 'first';
  const value = column === null || column === time ? first[1]! : first[0]!;
  const cell = column === null || column === time ? '' : `, at ${shown(first[1]!)}`;
  const words = `${shown(value)}${cell}. That is the ${side} by ${time.name}.`;
  return {
    words,
    values: [value],
    where: [...where, `${time.sql} = ${literal(first[1]!)}`],
    order: `document, line ${direction(order)}`,
  };
}

function stateCells({ computation, where }: QueryReading, rows: Rows): Omit<Stated, 'order'> | null {
  if (computation.kind !== 'cells' || rows.length === 0 || rows.length > mostRows) return null;
  const { column, isMany } = computation;
  if (rows.length > 1 && !isMany) return null;
  const values = rows.map(([value]) => value!);
  return { words: `${column.name}: ${values.map(shown).join(', ')}`, values, where: [...where, isTold(column)] };
}

/** Returns what the rows of a reading state. Null when they state nothing, or nothing definite. */
export function state(reading: QueryReading, rows: Rows): Stated | null {
  const stated = stateNumber(reading, rows) ?? stateRank(reading, rows) ?? stateCells(reading, rows);
  return stated === null ? stateEdge(reading, rows) : { ...stated, order: 'document, line' };
}

const computedNames = {
  count: ['count', 'number'],
  sum: ['sum', 'total'],
  avg: ['mean', 'average', 'avg'],
  max: ['highest', 'max', 'maximum'],
  min: ['lowest', 'min', 'minimum'],
} as const;

/** Returns the names by which each column of what a reading states may be called. */
export function valueNames({ table, computation }: QueryReading): readonly (readonly string[])[] {
  if (computation.kind === 'edge') return [[(computation.column ?? computation.time).name]];
  if (computation.kind === 'cells') return [[computation.column.name]];
  const { kind } = computation;
  const of = kind === 'rank' ? computation.of : kind === 'count' ? null : computation.column;
  const by = kind === 'count' || kind === 'distinct' || of === null ? 'count' : computation.by;
  const group = kind === 'rank' ? computation.label : computation.group;
  const name = of?.name ?? table.name;
  const words = by === null ? [] : computedNames[by];
  const value = [name, ...words, ...words.map((word) => `${word} ${name}`)];
  return group === null ? [value] : [[group.name], value];
}

/** Writes the SQL that finds the rows which support a statement. */
export const placesSql = ({ table }: QueryReading, { where, order }: Stated, limit: number): string =>
  `SELECT document, line FROM ${sqlName(table.name)}${whereSql(where)} ORDER BY ${order} LIMIT ${limit}`;

/** Describes the rows that are not computed with: those whose cells are empty, and those with texts. */
export function leftOutNotes({ table, where, computation }: QueryReading, rowsOf: (sql: string) => Rows): string[] {
  const { kind } = computation;
  const column = kind === 'aggregate' ? computation.column : kind === 'rank' ? computation.of : null;
  if (column === null) return [];
  const { sql, name } = column;
  const counts = `count(*) - count(${sql}), count(*) FILTER (WHERE typeof(${sql}) = 'text')`;
  const [empty, texts] = rowsOf(`SELECT ${counts} FROM ${sqlName(table.name)}${whereSql(where)}`)[0]!;
  return [
    ...(Number(empty) > 0 ? [`${counted(Number(empty), 'row')} left out: ${name} is empty`] : []),
    ...(Number(texts) > 0 ? [`${counted(Number(texts), 'row')} left out: ${name} is not a number`] : []),
  ];
}
