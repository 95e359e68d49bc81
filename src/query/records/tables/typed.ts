import type { Column, ColumnType, Value } from '../../value.ts';

/** Matches numbers that are written as SQLite writes them: `007` and `1e5` are names as often as numbers. */
const integer = /^-?(?:0|[1-9]\d{0,14})$/;
const real = /^-?(?:0|[1-9]\d{0,14})\.\d{1,15}$/;

/** Whether a text is a number that keeps its digits. */
export const isNumber = (text: string): boolean => integer.test(text) || real.test(text);

/** Share of the values of a column of numbers that are numbers, at least: tables have cells such as `pending`. */
const leastShare = 0.75;

/** Returns the type of most values; `TEXT` where there are none. */
function typeOf(values: readonly (string | null)[]): ColumnType {
  const told = values.filter((value) => value !== null && value !== '') as string[];
  const integers = told.filter((value) => integer.test(value)).length;
  const numbers = integers + told.filter((value) => real.test(value)).length;
  if (numbers === 0 || numbers < leastShare * told.length) return 'TEXT';
  return integers === numbers ? 'INTEGER' : 'REAL';
}

/** Types columns by some of their rows. */
export const typeColumns = (names: readonly string[], rows: readonly (readonly (string | null)[])[]): Column[] =>
  names.map((name, index) => ({ name, type: typeOf(rows.map((row) => row[index] ?? null)) }));

/** Returns a cell as a value of its column: a number where it is one, null where it is empty. */
export function toValue(text: string | null, type: ColumnType): Value {
  if (text === null || text === '') return null;
  return type !== 'TEXT' && isNumber(text) ? Number(text) : text;
}
