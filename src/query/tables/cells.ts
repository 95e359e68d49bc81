import { literal, quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';
import type { columnPeople } from './column-people.ts';

type CellPlace = Readonly<{ table: string; sql: string }>;

/**
 * Returns pairs of a lower-case text and a cell that matches it. A cell matches if it equals the text, ignoring case.
 * In a column of people, a cell matches if it names the person that the text names.
 */
export function cellsOfTexts(
  database: Database,
  { cells: { table, sql }, people }: { readonly cells: CellPlace; readonly people: ReturnType<typeof columnPeople> },
  texts: readonly string[],
): (readonly [text: string, cell: string | number])[] {
  if (texts.length === 0) return [];
  if (people !== null) return texts.flatMap((text) => people.cellsOf(text).map((cell) => [text, cell] as const));
  const wanted = texts.map(literal).join(', ');
  const rows = database.rows(`SELECT DISTINCT ${sql} FROM ${quoted(table)} WHERE lower(${sql}) IN (${wanted})`);
  return rows.map(([cell]) => [String(cell).toLowerCase(), cell as string | number]);
}

type CellsOfColumn = Readonly<{ cells: CellPlace; isProse: boolean }>;

const separators = [';', ' and ', '&', '|', '?', ', ', ' ,', ' ('];

const mostCells = 200;

/**
 * Returns the cells that contain a text as one item of a list. For example, the cell `Ann, Bob` contains `Ann`, and the
 * cell `/login?next=1` contains `/login`. With `begins`, also returns those that begin with it: `paid late` for `paid`.
 * In prose, returns all that contain it: `Re: New uniforms` for `uniforms`.
 */
export function cellsWith(database: Database, { cells: of, isProse }: CellsOfColumn, text: string, begins: boolean) {
  const [plain, cell] = [text.toLowerCase(), 'lower(v)'];
  const list = separators.reduce((all, one) => `replace(${all}, ${literal(one)}, ',')`, cell);
  const [own, place] = isProse ? [plain, '> 0'] : [`${plain} `, '= 1'];
  const start = isProse || begins ? ` OR instr(${cell}, ${literal(own)}) ${place}` : '';
  const holds = `(instr(',' || ${list} || ',', ${literal(`,${plain},`)}) > 0${start}) AND ${cell} <> ${literal(plain)}`;
  // Equal cells are tested once: without MATERIALIZED, SQLite would test each row.
  const cells = quoted(`cells of ${of.table}`);
  const named = `WITH ${cells} AS MATERIALIZED (SELECT DISTINCT ${of.sql} AS v FROM ${quoted(of.table)})`;
  return database
    .rows(`${named} SELECT v FROM ${cells} WHERE ${holds} LIMIT ${mostCells}`)
    .map(([found]) => String(found));
}
