import { quoted } from '../sql.ts';
import type { Database } from '../sqlite/database.ts';

/** The name and the address of a person, in lower case. */
interface Person {
  readonly name: string | null;
  readonly address: string | null;
}

/** Returns a name without quotes: Ann Lee for `"Lee, Ann"`. Null if it is empty. */
const plainName = (text: string): string | null =>
  text
    .trim()
    .replace(/^"([^",]+),([^",]+)"$/, (_, family: string, given: string) => `${given.trim()} ${family}`)
    .replaceAll('"', '')
    .trim() || null;

/**
 * Returns the people in a cell. Splits a cell with an address at commas that are neither quoted nor in brackets:
 * `"Lee, Ann" <ann@x.org>, bob@y.org (Bob)`.
 */
function peopleIn(cell: string): Person[] {
  const lower = cell.toLowerCase();
  if (!lower.includes('@')) return [{ name: plainName(lower), address: null }];
  const parts = lower.match(/(?:"(?:[^"\\]|\\.)*"|<[^>]*>|\([^)]*\)|[^,"<(])+/g) ?? [];
  return parts.map((part): Person => {
    const [, name, address] = /^([^<]*)<([^>]*)>/.exec(part) ?? [];
    if (address !== undefined) return { name: plainName(name!), address: address.trim() };
    const [, alone, comment] = /^\s*([^\s(]+@[^\s(]+)\s*(?:\(([^)]*)\))?\s*$/.exec(part) ?? [];
    return alone === undefined
      ? { name: plainName(part), address: null }
      : { name: plainName(comment ?? ''), address: alone };
  });
}

const nonNull = (values: readonly (string | null)[]) => values.filter((value) => value !== null);
const areUnique = (values: readonly (string | null)[]) => new Set(nonNull(values)).size === nonNull(values).length;
const mostCells = 200;

/** Reads the people of a column, and of other columns with the same people; null if no cell has an address. */
export function columnPeople(database: Database, table: string, column: string, others: readonly string[]) {
  const peopleOf = (sql: string) =>
    database
      .rows(`SELECT DISTINCT ${sql} FROM ${quoted(table)} WHERE ${sql} IS NOT NULL`)
      .map(([cell]) => ({ cell: String(cell), people: peopleIn(String(cell)) }));
  const read = peopleOf(column);
  if (!read.some(({ cell }) => cell.includes('@'))) return null;
  const own = read.flatMap(({ people }) => people);
  const all = [...own, ...others.flatMap(peopleOf).flatMap(({ people }) => people)];
  return {
    /** Whether each cell names one person, and different cells certainly name different persons. */
    areApart:
      read.length === own.length &&
      areUnique(own.map(({ name }) => name)) &&
      areUnique(own.map(({ address }) => address)),
    /**
     * Returns the cells that name a person. Empty if the name is ambiguous, or if there are more than 200 cells.
     * @param person the name or the address, in lower case.
     */
    cellsOf(person: string): readonly string[] {
      const meant = all.filter(({ name, address }) => name === person || address === person);
      const addresses = new Set(nonNull(meant.map(({ address }) => address)));
      const isMeant = ({ name, address }: Person) => name === person || (address !== null && addresses.has(address));
      const names = new Set(nonNull(all.filter(isMeant).map(({ name }) => name)));
      const isDoubtful = names.has(person) && (addresses.size > 1 || names.size > 1);
      const cells = read.filter(({ people }) => people.some(isMeant)).map(({ cell }) => cell);
      return isDoubtful || cells.length > mostCells ? [] : cells;
    },
  };
}
