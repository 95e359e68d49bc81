import { wideRow } from '../records/tables/typed-table.ts';
import { quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import type { FilledTable } from './fill-table.ts';

const isoTime = '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*';
const timeOfDay = '[0-2][0-9]:[0-5][0-9]*';
const halfOfDay = '*[0-9]*[AaPp]*[Mm]*';
/** Numbers that often stand for a missing one. */
const sentinels = '(-99, -99.9, -999, -999.9, -9999, -99999, 999, 999.9, 9999, 99999)';
/** A sentinel is at least this many times larger than all other numbers of its column. */
const farTimes = 5;
const yesAndNo = "('yes', 'no', 'true', 'false', 'y', 'n', '1', '0')";
const blanks = "('n/a', '-', '--', '–', '—', 'none', 'null', 'nil', 'unknown', '?', 'tbd')";
const voided = "('cancelled', 'canceled', 'refunded', 'void', 'voided', 'declined', 'rejected', 'no-show', 'no show')";
const sums =
  "('sum', 'summe', 'gesamt', 'insgesamt', 'average', 'mean', 'avg', 'all', 'overall', 'world', 'opening balance', 'closing balance', '...', '…', '⋮')";
/** Labels of rows below a table. Above the last rows, such a word may be a name or a code. */
const summaries =
  "('max', 'maximum', 'min', 'minimum', 'median', 'avg', 'ave', 'mittelwert', 'durchschnitt', 'moyenne', 'media', 'promedio', 'ø', 'Ø', 'sd', 'std', 'stdev', 'std dev', 'cv', 'n', 'count', 'anzahl')";
const units =
  "('eur', 'usd', 'gbp', 'chf', 'jpy', 'cny', 'inr', 'sek', 'nok', 'dkk', 'pln', 'czk', 'huf', 'try', 'aud', 'cad', 'nzd', 'brl', 'mxn', 'zar', 'hkd', 'sgd', 'krw', 'thb', 'ils', 'euro', 'euros', 'dollar', 'dollars', 'pounds', 'francs', 'yen', '€', '$', '£', '¥', 'mg', 'g', 'kg', 'lb', 'lbs', 'oz', 't', 'ml', 'cl', 'dl', 'l', 'mm', 'cm', 'km', 'mi', 'ft', 'in', 'ms', 'sec', 'min', 'h', 'hours', 'days', 'kb', 'mb', 'gb', 'tb', 'wh', 'kwh', 'mwh', '°c', '°f', 'pcs', 'piece', 'pieces', 'litre', 'litres', 'grams')";
const dates = [
  '[0-9][0-9][0-9][0-9][-/.]*[0-9][-/.]*[0-9]*',
  '*[0-9][-/.]*[0-9][-/.][0-9][0-9]*',
  '[A-Z][a-z][a-z]* [0-9]*[0-9][0-9]',
];
const amounts = ['*[0-9],[0-9][0-9][0-9]*', '[$€£]*[0-9]*', '*[0-9]*[$€£%]'];

/**
 * Counts the cells of a column. `told`: not null. `distinct`: different values, ignoring case. `digits`: texts with
 * digits. `amounts`: numbers written as text. `nightly`: times of day before 04:00. `zones`: different notations and
 * zones of times. `uncapitalised`: texts that begin with a small letter. `letters`: single letters. `queries`: paths
 * with a query string. `voids`: states such as `cancelled`. `totals`: labels of rows that add up other rows.
 * `sentences`: texts of five words or more. `units`: names of units and currencies. Not counts: `sentinels` is 1 if a
 * sentinel is far from all other numbers, and `lone` if it is the only number below 0.
 * @param values SQL that selects each different cell `v` and the number `n` of such cells.
 */
function countCells(database: Database, values: string) {
  const isText = "typeof(v) = 'text'";
  const label = "trim(v, '* :')";
  const isShort = `${isText} AND length(v) <= 40`;
  const isOther = `typeof(v) <> 'text' AND v NOT IN ${sentinels}`;
  const isLike = (forms: readonly string[]) => forms.map((form) => `v GLOB '${form}'`).join(' OR ');
  const cells = (condition: string) => `total(n) FILTER (WHERE ${condition})`;
  const counted = {
    told: cells('v IS NOT NULL'),
    distinct: 'count(DISTINCT lower(v))',
    spellings: 'count(DISTINCT v)',
    numbers: cells("typeof(v) IN ('integer', 'real')"),
    digits: cells(`${isText} AND v GLOB '*[0-9]*'`),
    amounts: cells(`${isShort} AND (${isLike(amounts)} OR v NOT GLOB '*[^0-9]*')`),
    blanks: cells(`lower(v) IN ${blanks}`),
    uncapitalised: cells("v GLOB '[a-z]*'"),
    letters: cells("v GLOB '[A-Za-z]'"),
    queries: cells("v GLOB '/*[?]*'"),
    sentences: cells("v GLOB '* * * * *'"),
    lists: cells(`${isShort} AND (v GLOB '*[^0-9], *' OR v GLOB '*;*' OR v GLOB '*|*')`),
    sentinels: `max(abs(v)) FILTER (WHERE v IN ${sentinels}) > ${farTimes} * max(abs(v)) FILTER (WHERE ${isOther})`,
    lone: `count(DISTINCT v) FILTER (WHERE v < 0) = 1 AND min(v) IN ${sentinels}`,
    areNegative: "min(v) < 0 AND max(v) FILTER (WHERE typeof(v) <> 'text') <= 0",
    decimals: "max(CASE WHEN typeof(v) = 'real' THEN length(v) - instr(v, '.') ELSE 0 END)",
    times: cells(`v GLOB '${isoTime}' AND v NOT GLOB '${halfOfDay}'`),
    clocks: cells('length(v) >= 16'),
    dayless: cells(`v GLOB '${timeOfDay}' AND length(v) <= 8 AND v NOT GLOB '${halfOfDay}'`),
    nightly: cells(`v GLOB '0[0-3]:*'`),
    zones: "count(DISTINCT substr(v, 11, 1) || ltrim(substr(v, 17), '0123456789:.,'))",
    dates: cells(`${isShort} AND (${isLike(dates)})`),
    voids: cells(`lower(v) IN ${voided}`),
    units: cells(`lower(trim(v)) IN ${units}`),
    flags: cells(`lower(v) IN ${yesAndNo}`),
    totals: cells(`${isText} AND (${label} LIKE 'total%' OR ${label} LIKE '%total' OR lower(${label}) IN ${sums})`),
  };
  const [row] = database.rows(`SELECT ${Object.values(counted).join(', ')} FROM (${values})`);
  const named = Object.keys(counted).map((name, at) => [name, Number(row![at])]);
  return Object.fromEntries(named) as Record<keyof typeof counted, number>;
}

/** Returns the counts of `countCells` for a column, and what follows from them. */
export function columnFacts(
  database: Database,
  { table, sql }: { readonly table: string; readonly sql: string },
  rows: number,
) {
  // Equal cells are tested once.
  const values = `SELECT ${sql} v, count(*) n FROM ${quoted(table)} GROUP BY 1, typeof(v)`;
  const facts = countCells(database, values);
  const { told, distinct, spellings, numbers, times, clocks } = facts;
  const texts = `SELECT DISTINCT lower(v) AS v FROM (${values})`;
  const short = `SELECT 1 FROM (${texts}) a, (${texts}) b WHERE a.v GLOB '[a-z]' AND b.v GLOB a.v || '[a-z]*' LIMIT 1`;
  const isFull = told === rows;
  // Single texts may contain a comma. In a column of lists, more than a fifth of the cells contain a separator.
  const areLists = facts.lists * 5 > told;
  const [hasDay, hasClock] = [times === told, clocks === told];
  return {
    ...facts,
    isFull,
    isUnique: isFull && distinct === rows,
    isFolded: distinct < spellings,
    /** Whether a letter may stand for a longer cell: `F` for `Female`. */
    hasInitials: facts.letters > 0 && distinct < 20 && database.rows(short).length > 0,
    areLists,
    hasTexts: numbers < told,
    /** Whether numbers may be something else: texts with digits, or numbers such as -999 for a missing one. */
    areOdd: facts.digits + facts.sentinels + facts.lone > 0,
    /** Whether no number is positive. The largest of the expenses -40 and -90 is perhaps -90. */
    areNegative: facts.areNegative > 0,
    hasDay,
    hasClock,
    /** Whether times of day may go past midnight. The smallest time may then be the latest. */
    isPastMidnight: !hasDay && facts.nightly > 0 && facts.nightly < told,
  };
}

export type ColumnFacts = ReturnType<typeof columnFacts>;

/**
 * The smallest number that is taken for a total, in steps of its column. The step is 100 if all numbers of the column
 * are divisible by 100, else 10 if all are divisible by 10, else 1. A smaller number is too often a sum by chance.
 */
const leastTotal = 20;
/** Minimum number of rows of a column whose last row may be a small total. */
const leastSummed = 4;

/**
 * Whether the largest number is a total: all other numbers, or each level of subtotals, add up to it. In the last row,
 * a small number may be a total, too.
 */
function addsUp(database: Database, table: string, sql: string): boolean {
  const numbers = `FROM ${quoted(table)} WHERE typeof(${sql}) IN ('integer', 'real')`;
  const [sum, max] = database.rows(`SELECT total(${sql}), max(${sql}) ${numbers}`)[0]!.map(Number) as [number, number];
  const times = Math.round((sum / max) * 1e9) / 1e9;
  if (![2, 3, 4].includes(times)) return false;
  const step = `CASE WHEN max(${sql} % 10 <> 0) THEN 1 WHEN max(${sql} % 100 <> 0) THEN 10 ELSE 100 END`;
  const [count, largest, size] = database.rows(`SELECT count(*), total(${sql} = ${max}), ${step} ${numbers}`)[0]!;
  const [last] = database.rows(`SELECT ${sql} FROM ${quoted(table)} ORDER BY rowid DESC LIMIT 1`)[0]!;
  const isLast = times === 2 && last === max && max >= leastTotal && Number(count) >= leastSummed;
  return largest === 1 && (isLast || max >= leastTotal * Number(size));
}

/** Maximum number of conditions in a statement: SQLite allows expressions of depth 1000. */
const mostTested = 500;

type NotedColumn = ColumnFacts & { readonly sql: string; readonly kind: string };

interface NotedTable {
  readonly name: string;
  readonly rows: number;
  readonly isOwn: boolean;
  readonly columns: readonly NotedColumn[];
  readonly notes: readonly string[];
}

/** Whether a table lacks rows that are wider than its header, or has rows that add up other rows. */
export const mayMiscount = (database: Database, table: NotedTable): boolean =>
  table.notes.some((note) => note.startsWith(`${table.name} lacks`) && note.includes(wideRow)) ||
  hasTotals(database, table);

/** Maximum number of rows below a table that summarise it. */
const mostSummaries = 5;

/** Whether the last rows have labels such as `Median`, or words where the cells above have digits. */
function endsInSummary(database: Database, table: string, sql: string): boolean {
  const cells = `SELECT ${sql} AS v, row_number() OVER (ORDER BY rowid DESC) AS at FROM ${quoted(table)}`;
  const areLast = (condition: string) =>
    `max(CASE WHEN ${condition} THEN at END) = min(total(${condition}), ${mostSummaries}, (count(*) - 1) / 2)`;
  const tests = [`lower(trim(v, '* :.')) IN ${summaries}`, "v NOT GLOB '*[0-9]*'"].map(areLast);
  return database.rows(`SELECT ${tests.join(' OR ')} FROM (${cells})`)[0]![0] === 1;
}

/** Maximum number of columns with empty cells in which subtotals are looked for. Each takes one pass over the rows. */
const mostGaps = 5;

/** Whether the rows without a cell in some column add up all rows with a cell in this column. */
function hasSubtotals(database: Database, name: string, columns: NotedTable['columns']): boolean {
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const gaps = columns.filter(({ kind, isFull }) => kind !== 'number' && !isFull).slice(0, mostGaps);
  return gaps.some((gap) => {
    const sums = numbers.map(({ sql }) => {
      const open = `total(${sql}) FILTER (WHERE ${gap.sql} IS NULL)`;
      return `${open} >= ${leastTotal} AND abs(total(${sql}) - 2 * ${open}) < 1e-6`;
    });
    return sums.length > 0 && database.rows(`SELECT ${sums.join(' OR ')} FROM ${quoted(name)}`)[0]![0] === 1;
  });
}

/** Whether a row adds up other rows, so that a sum would count the other rows twice. */
function hasTotals(database: Database, { name, rows, columns }: NotedTable): boolean {
  const [first] = columns;
  if (first === undefined) return false;
  if (columns.some(({ totals }) => totals > 0)) return true;
  if (columns.some(({ kind, sql }) => kind === 'number' && addsUp(database, name, sql))) return true;
  if (endsInSummary(database, name, first.sql)) return true;
  if (columns.length < mostTested && hasSubtotals(database, name, columns)) return true;
  // If the filled cells of the first column are all different, empty ones may stand for the cell above them.
  if (first.distinct === first.told && rows - first.told > 1 && columns.length > 1) return true;
  const alone = [`${first.sql} IS NOT NULL`, ...columns.slice(1).map(({ sql }) => `${sql} IS NULL`)];
  const steps = `SELECT line - lag(line) OVER (ORDER BY rowid) AS step, ${alone.join(' AND ')} AS isAlone`;
  // A footer or a heading between rows has only its first cell. In two columns, it follows an empty line.
  const footer = `SELECT 1 FROM (${steps} FROM ${quoted(name)}) WHERE isAlone AND ${columns.length > 2 || 'step > 1'}`;
  if (alone.length > 1 && alone.length < mostTested && database.rows(`${footer} LIMIT 1`).length > 0) return true;
  const last = `SELECT max(rowid) FROM ${quoted(name)} HAVING count(*) > 2 AND count(*) - count(${first.sql}) = 1`;
  return database.rows(`SELECT 1 FROM ${quoted(name)} WHERE ${first.sql} IS NULL AND rowid = (${last})`).length > 0;
}

/**
 * Whether a sum or a mean takes a number several times, as the rows of tasks repeat the budget of their project. At
 * least two groups and three rows repeat a number, because fewer may do so by chance. If the first column names each
 * row, the number is a part of each: all members of a plan pay its fee.
 */
export function mayRepeat(
  database: Database,
  { name, isOwn, columns }: NotedTable,
  { by, column }: { readonly by: string | null; readonly column: NotedColumn | null },
): boolean {
  if (!isOwn || column === null || columns[0]!.isUnique || (by !== 'sum' && by !== 'avg')) return false;
  const isKey = ({ sql, kind, isUnique, distinct }: NotedColumn) =>
    sql !== column.sql && kind !== 'number' && kind !== 'flag' && !isUnique && distinct > 1;
  const numbers = `count(DISTINCT ${column.sql}) AS n, count(${column.sql}) AS cells, min(${column.sql}) AS number`;
  const groups = `SELECT ${numbers} FROM ${quoted(name)} GROUP BY`;
  const repeats = 'max(n) = 1 AND total(cells > 1) > 1 AND total(max(cells - 1, 0)) > 2 AND count(DISTINCT number) > 1';
  const sums = columns.filter(isKey).map(({ sql }) => `SELECT ${repeats} FROM (${groups} ${sql})`);
  return sums.some((sql) => database.rows(sql)[0]![0] === 1);
}

/** Whether the texts of a column differ before the character at position `from`. */
export const isSpread = (database: Database, table: string, written: string, from: number): boolean =>
  database.rows(`SELECT count(DISTINCT substr(${written}, 1, ${from - 1})) > 1 FROM ${quoted(table)}`)[0]![0] === 1;

/** Whether each line is exactly one row: no line was unreadable, and no message spans several lines. */
export function isOneLine(database: Database, { name, columns, notes }: FilledTable): boolean {
  if (notes.some((note) => note.startsWith(`${name} lacks`))) return false;
  if (!columns.some((column) => column.name === 'message')) return true;
  return database.rows(`SELECT 1 FROM ${quoted(name)} WHERE instr(message, char(10)) LIMIT 1`).length === 0;
}

/**
 * Whether a table has copies of rows: either fewer than half of its rows are copies, or every row has a copy. A sum or
 * a count may then count a thing twice.
 */
export function hasTwins(
  database: Database,
  { name, rows }: FilledTable,
  columns: readonly { readonly sql: string }[],
) {
  if (columns.length === 0) return false;
  const cells = columns.map(({ sql }) => sql).join(', ');
  const counts = `SELECT count(*) AS n FROM ${quoted(name)} GROUP BY ${cells}`;
  const [different, fewest] = database.rows(`SELECT count(*), min(n) FROM (${counts})`)[0]!.map(Number);
  return different! < rows && (different! * 2 > rows || fewest! > 1);
}
