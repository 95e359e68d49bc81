import { readDay } from './days.ts';
import { compare } from './decimal.ts';
import { folded } from './names.ts';
import { readAmount } from './numbers.ts';
import type { Column, Profile } from './profile.ts';
import type { Comparison, Filter, Query } from './query.ts';
import type { Row } from './row.ts';

const holds: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '=': (order) => order === 0,
};

/** Whether a cell passes; null where it cannot be read as what it has to be. */
type Test = (cell: string) => boolean | null;

function testOf(filter: Filter, column: Column): Test {
  if (filter.kind === 'is') {
    const values = new Set(filter.values.map(folded));
    return (cell) => values.has(folded(cell)) !== filter.isNot;
  }
  if (filter.kind === 'number') {
    return (cell) => {
      const amount = readAmount(cell, column.mark);
      return amount && holds[filter.is](compare(amount.value, filter.than));
    };
  }
  return (cell) => {
    const period = readDay(cell, column.dayOrder);
    if (period === null) return null;
    if (filter.kind === 'month') return new Date(period.startMs).getUTCMonth() + 1 === filter.month;
    const { startMs = Number.NEGATIVE_INFINITY, endMs = Number.POSITIVE_INFINITY } = filter.within;
    return period.startMs >= startMs && period.startMs < endMs;
  };
}

/**
 * Whether a row passes all filters. Rows of which that cannot be told are left out, and told; an empty cell is none of
 * the values that are asked for.
 */
export function createFilter(
  { query, profile }: { readonly query: Query; readonly profile: Profile },
  leaveOut: (why: string, example?: string | null) => void,
): (row: Row) => boolean {
  const tests = query.filters.map((filter) => {
    const column = profile.columns[filter.column]!;
    return { column, test: testOf(filter, column), tellsEmpty: filter.kind !== 'is' || filter.isNot };
  });
  return ({ cells }) => {
    const unreadable: (readonly [string, string | null])[] = [];
    for (const { column, test, tellsEmpty } of tests) {
      const cell = cells[column.index] ?? null;
      const passes = cell === null ? null : test(cell);
      if (passes === false || (cell === null && !tellsEmpty)) return false;
      if (cell === null) unreadable.push([`without ${column.name}`, null]);
      else if (passes === null)
        unreadable.push([`whose ${column.name} is no ${column.kind === 'number' ? 'number' : 'date'}`, cell]);
    }
    for (const [why, example] of unreadable.slice(0, 1)) leaveOut(why, example);
    return unreadable.length === 0;
  };
}
