import { quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import type { FilledTable } from './fill-table.ts';

const isoTime = '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*';
const timeOfDay = '[0-2][0-9]:[0-5][0-9]*';
const halfOfDay = '*[0-9]*[AaPp]*[Mm]*';
const yesAndNo = "('yes', 'no', 'true', 'false', 'y', 'n', '1', '0')";
const blanks = "('n/a', '-', '--', '–', '—', 'none', 'null', 'nil', 'unknown', '?', 'tbd')";
const dates = [
  '[0-9][0-9][0-9][0-9][-/.]*[0-9][-/.]*[0-9]*',
  '*[0-9][-/.]*[0-9][-/.][0-9][0-9]*',
  '[A-Z][a-z][a-z]* [0-9]*[0-9][0-9]',
];
const amounts = ['*[0-9],[0-9][0-9][0-9]*', '[$€£]*[0-9]*', '*[0-9]*[$€£%]'];

/**
 * Counts the cells of a column. `told`: not null. `distinct`: different values, ignoring case. `digits`: texts with
 * digits. `amounts`: numbers written as text. `zones`: different notations and zones of times. `letters`: single
 * letters. `queries`: paths with a query string. `sentences`: texts of five words or more.
 * @param values SQL that selects each different cell `v` and the number `n` of such cells.
 */
function countCells(database: Database, values: string) {
  const isText = "typeof(v) = 'text'";
  const isShort = `${isText} AND length(v) <= 40`;
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
    letters: cells("v GLOB '[A-Za-z]'"),
    queries: cells("v GLOB '/*[?]*'"),
    sentences: cells("v GLOB '* * * * *'"),
    lists: cells(`${isShort} AND (v GLOB '*[^0-9], *' OR v GLOB '*;*' OR v GLOB '*|*')`),
    decimals: "max(CASE WHEN typeof(v) = 'real' THEN length(v) - instr(v, '.') ELSE 0 END)",
    times: cells(`v GLOB '${isoTime}' AND v NOT GLOB '${halfOfDay}'`),
    clocks: cells('length(v) >= 16'),
    dayless: cells(`v GLOB '${timeOfDay}' AND length(v) <= 8 AND v NOT GLOB '${halfOfDay}'`),
    zones: "count(DISTINCT substr(v, 11, 1) || ltrim(substr(v, 17), '0123456789:.,'))",
    dates: cells(`${isShort} AND (${isLike(dates)})`),
    flags: cells(`lower(v) IN ${yesAndNo}`),
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
    hasDay,
    hasClock,
  };
}

export type ColumnFacts = ReturnType<typeof columnFacts>;

type Rows = Readonly<{ name: string; isOwn: boolean; documents: string; columns: { name: string; sql: string }[] }>;

/**
 * Whether a line may stand for several ("message repeated 3 times" of syslog), or several rows for one: a mail may have
 * copies, a message of the kernel is in `kern.log` and in `syslog`, and dpkg and apt both log each package.
 */
export function mayMiscount(database: Database, { name, isOwn, documents, columns }: Rows): boolean {
  if (isOwn) return false;
  const repeated = `SELECT 1 FROM ${quoted(name)} WHERE message GLOB '*message repeated [0-9]* times*' LIMIT 1`;
  if (columns.some((one) => one.name === 'message') && database.rows(repeated).length > 0) return true;
  const isOfMail = name === 'mail';
  if (!isOfMail && !documents.includes(',')) return false;
  const own = columns.flatMap(({ sql }) => (sql.includes('->>') ? [] : sql));
  const cells = name === 'packages' ? ['substr(time, 1, 10)', '"action"', 'package', 'newVersion'] : own;
  const twins = `SELECT 1 FROM ${quoted(name)} GROUP BY ${cells} HAVING count(${isOfMail ? '*' : 'DISTINCT document'}) > 1 LIMIT 1`;
  return database.rows(twins).length > 0;
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
