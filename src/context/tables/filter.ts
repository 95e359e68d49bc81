import { readDay } from './cells/days.ts';
import { compare } from './cells/decimal.ts';
import { folded } from './cells/names.ts';
import { readAmount } from './cells/numbers.ts';
import { inSmallest, measuredBy, unitInName } from './cells/units.ts';
import type { Profile, TableColumn } from './profile.ts';
import type { Comparison, Filter, Query } from './query.ts';
import type { Row } from './rows/row.ts';

const holds: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '=': (order) => order === 0,
};

/** Returns whether a cell passes; where that is undecidable, the reason, to follow the column's name. */
type Test = (cell: string) => boolean | string;

/** Creates the test of a numeric limit, which converts units where the limit has one. */
function numberTest({ is, than, unit }: Extract<Filter, { kind: 'number' }>, { name, mark, units }: TableColumn): Test {
  const own = unitInName(name);
  return (cell) => {
    const amount = readAmount(cell, mark);
    if (amount === null) return 'is no number';
    const cellUnit = amount.unit || own;
    const isPlain = unit === '' || cellUnit === '' || cellUnit.toLowerCase() === unit.toLowerCase();
    if (isPlain)
      return unit === '' && units.length > 1 ? 'has one of several units' : holds[is](compare(amount.value, than));
    if (measuredBy(unit) === '' || measuredBy(unit) !== measuredBy(cellUnit)) return 'has another unit';
    return holds[is](compare(inSmallest(amount.value, cellUnit), inSmallest(than, unit)));
  };
}

function testOf(filter: Filter, column: TableColumn): Test {
  if (filter.kind === 'is') {
    const values = new Set(filter.values.map(folded));
    return (cell) => values.has(folded(cell)) !== filter.isNot;
  }
  if (filter.kind === 'number') return numberTest(filter, column);
  return (cell) => {
    const period = readDay(cell, column.dayOrder);
    if (period === null) return 'is no date';
    if (filter.kind === 'month') return new Date(period.startMs).getUTCMonth() + 1 === filter.month;
    const { startMs = Number.NEGATIVE_INFINITY, endMs = Number.POSITIVE_INFINITY } = filter.within;
    return period.startMs >= startMs && period.startMs < endMs;
  };
}

/**
 * Creates the function that decides whether a row passes all filters. Undecidable rows are left out and reported; an
 * empty cell does not equal any value.
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
    let untold: readonly [why: string, example: string | null] | null = null;
    for (const { column, test, tellsEmpty } of tests) {
      const cell = cells[column.index] ?? null;
      const passes = cell === null ? `without ${column.name}` : test(cell);
      if (passes === false || (cell === null && !tellsEmpty)) return false;
      if (typeof passes === 'string') untold ??= [cell === null ? passes : `whose ${column.name} ${passes}`, cell];
    }
    if (untold !== null) leaveOut(...untold);
    return untold === null;
  };
}
