/** Readings of a question: what its items ask of a table, where each of them has a part in it. */

import { type ItemOf, measuring, onlyOne, takeFilters } from './filters.ts';
import type { ProfiledColumn, ProfiledTable } from './profile.ts';
import type { Item, Sense } from './senses.ts';

/** What is computed over the rows that a reading selects. */
export type QueryComputation =
  | { readonly kind: 'count'; readonly group: ProfiledColumn | null }
  | { readonly kind: 'distinct'; readonly column: ProfiledColumn; readonly group: ProfiledColumn | null }
  | {
      readonly kind: 'aggregate';
      readonly by: 'sum' | 'avg' | 'max' | 'min';
      readonly column: ProfiledColumn;
      readonly group: ProfiledColumn | null;
    }
  /** Groups or rows in an order. `of` null: by the number of rows. `by` null: the cells themselves. */
  | {
      readonly kind: 'rank';
      readonly label: ProfiledColumn | null;
      readonly of: ProfiledColumn | null;
      readonly by: 'sum' | 'avg' | null;
      readonly order: 'most' | 'least';
      readonly limit: number;
    }
  /** A cell of the first or the last row; null: the row itself. */
  | {
      readonly kind: 'edge';
      readonly time: ProfiledColumn;
      readonly column: ProfiledColumn | null;
      readonly order: 'most' | 'least';
    }
  /** Cells of the rows; one where `isMany` is false. */
  | { readonly kind: 'cells'; readonly column: ProfiledColumn; readonly isMany: boolean };

export interface QueryReading {
  readonly table: ProfiledTable;
  /** Conditions of SQL. */
  readonly where: readonly string[];
  readonly computation: QueryComputation;
}

const mostPaths = 400;

/** Returns every way to cover all words of the question with senses. */
export function pathsOf(senses: readonly (readonly Sense[])[]): readonly (readonly Item[])[] {
  const paths: Item[][] = [];
  const walk = (at: number, path: readonly Item[]): void => {
    if (paths.length >= mostPaths) return;
    if (at === senses.length) paths.push([...path]);
    else for (const { item, words } of senses[at]!) walk(at + words, [...path, item]);
  };
  walk(0, []);
  return paths.length < mostPaths ? paths : [];
}

/**
 * Sorts what the filters leave of a path by its role. Null where a role has two items, or a column is named that is not
 * known. `beginsWithRows`: whether the rows are named before a column is.
 */
function sortLeft(path: readonly Item[], table: ProfiledTable) {
  const taken = takeFilters(path, table);
  if (taken === null) return null;
  const { left, where, filtered, limit } = taken;
  const columns: ProfiledColumn[] = [];
  let [group, isPlural, isMeasured]: [ProfiledColumn | null, boolean, boolean] = [null, false, false];
  for (const [at, item] of left.entries()) {
    const before = left[at - 1];
    const column =
      item.role === 'column' ? item.column : item.role === 'measure' ? measuring(table, item.of) : undefined;
    if (column === null) return null;
    if (item.role === 'measure') isMeasured = true;
    if (column === undefined || columns.includes(column)) continue;
    if (before?.role === 'group' && column.kind !== 'number') {
      if (group !== null) return null;
      group = column;
    } else if (!filtered.has(column)) {
      columns.push(column);
      isPlural ||= item.role === 'column' && item.isPlural;
    }
  }
  const of = <R extends Item['role']>(role: R) => left.filter((item): item is ItemOf<R> => item.role === role);
  const [asks, aggregates, superlatives] = [of('ask'), of('aggregate'), of('superlative')];
  const isRanked = superlatives.length > 0;
  if (asks.length > 1 || aggregates.length > 1 || superlatives.length > 1) return null;
  if (of('group').length > (group === null && !isRanked ? 0 : 1)) return null;
  const named = left.filter(({ role }) => role === 'rows' || role === 'column');
  return {
    table,
    where,
    filtered,
    limit,
    group,
    columns,
    isPlural,
    isMeasured,
    ask: asks[0]?.for ?? null,
    aggregate: aggregates[0]?.by ?? null,
    superlative: superlatives[0] ?? null,
    isDistinct: of('distinct').length > 0,
    namesRows: of('rows').length > 0,
    beginsWithRows: named[0]?.role === 'rows',
  };
}

type Asked = NonNullable<ReturnType<typeof sortLeft>>;

const selects = ({ namesRows, where }: Asked): boolean => namesRows || where.length > 0;

function countOf(asked: Asked): readonly QueryComputation[] {
  const { table, ask, aggregate, columns, group, isDistinct, beginsWithRows, where } = asked;
  const [column, ...more] = columns;
  if (more.length > 0) return [];
  if (column === undefined) {
    if (isDistinct || aggregate === 'avg' || !selects(asked)) return [];
    return ask === 'times' && where.length === 0 ? [] : [{ kind: 'count', group }];
  }
  if (ask === 'times' || beginsWithRows) return [];
  if (column.kind === 'number') return isDistinct ? [] : [{ kind: 'aggregate', by: aggregate ?? 'sum', column, group }];
  if (aggregate === 'avg' || column.kind === 'time') return [];
  const distinct = { kind: 'distinct', column, group } as const;
  // The rows of a table with a column `event` may be the events.
  return isDistinct || column !== table.subject ? [distinct] : [distinct, { kind: 'count', group }];
}

function aggregateOf(asked: Asked): QueryComputation | null {
  const { ask, aggregate, columns, group, isDistinct } = asked;
  const column = onlyOne(columns);
  if (isDistinct) return null;
  if (column?.kind !== 'number' || (ask !== null && ask !== 'thing' && ask !== 'much')) return null;
  return { kind: 'aggregate', by: aggregate ?? 'sum', column, group };
}

/** The column that tells rows apart, or names a person where that is asked for; null where there is none. */
function labelOf({ table: { columns }, ask, filtered }: Asked): ProfiledColumn | null {
  if (ask === 'person') return onlyOne(columns.filter(({ isPerson }) => isPerson));
  const others = columns.filter((one) => !filtered.has(one) && (one.kind === 'text' || one.kind === 'code'));
  return others.find(({ isUnique, isProse }) => isUnique && !isProse) ?? null;
}

function edgeOf(asked: Asked, order: 'most' | 'least'): QueryComputation[] {
  const { table, columns, ask, aggregate, group, limit } = asked;
  const times = columns.filter(({ kind }) => kind === 'time');
  const time = times.length === 0 ? measuring(table, 'time') : onlyOne(times);
  const others = columns.filter((column) => !times.includes(column));
  if (!time?.isFull || others.length > 1 || aggregate !== null || group !== null || limit !== null) return [];
  if (ask === 'time') return others.length === 0 && selects(asked) ? [{ kind: 'edge', time, column: time, order }] : [];
  const text = table.columns.find(({ isProse }) => isProse);
  const column = others[0] ?? labelOf(asked) ?? (ask === 'thing' ? text : undefined) ?? null;
  const isNamed = ask === 'person' ? column?.isPerson : ask === 'thing' && (others.length > 0 || selects(asked));
  return isNamed ? [{ kind: 'edge', time, column, order }] : [];
}

function rankingsOf(asked: Asked): QueryComputation[] {
  const { table, columns, ask, aggregate, isDistinct, limit, beginsWithRows } = asked;
  const { order, of, often, adds } = asked.superlative!;
  if (of === 'time') return edgeOf(asked, order);
  if (isDistinct || ask === 'count' || ask === 'times' || ask === 'much') return [];
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const measure = of === null ? (numbers[0] ?? null) : measuring(table, of);
  const others = columns.filter((column) => column !== measure);
  if (numbers.length > 1 || others.length > 1 || (of !== null && measure === null)) return [];
  const [named] = asked.group === null ? others : [asked.group, ...others];
  const rank = { kind: 'rank', order, limit: limit ?? 1 } as const;
  if (measure === null) {
    const label = named ?? (ask === 'person' ? labelOf(asked) : null);
    if (label === null || aggregate !== null || !(often || (adds && selects(asked)) || limit !== null)) return [];
    return [{ ...rank, label, of: null, by: null }];
  }
  if (often) return [];
  if (named !== undefined || ask === 'person' || ask === 'time') {
    const label = named ?? (ask === 'time' ? measuring(table, 'time') : labelOf(asked));
    if (label === null) return [];
    if (aggregate !== null) return [{ ...rank, label, of: measure, by: aggregate }];
    const ofRows = { ...rank, label, of: measure, by: null } as const;
    if (limit !== null && !label.isUnique) return [{ ...rank, label, of: measure, by: 'sum' }];
    // Where several rows have one label, the highest number of a row and the highest sum have to agree.
    const mayAdd = adds || (of === null && !label.isUnique);
    return mayAdd ? [ofRows, { ...rank, label, of: measure, by: 'sum' }] : [ofRows];
  }
  if (aggregate !== null) return [];
  if (beginsWithRows || limit !== null) return [{ ...rank, label: labelOf(asked), of: measure, by: null }];
  return [{ kind: 'aggregate', by: order === 'most' ? 'max' : 'min', column: measure, group: null }];
}

/** Looks up cells. */
function cellsOf(asked: Asked): QueryComputation | null {
  const { table, ask, columns, where, group, isDistinct, isPlural, isMeasured, namesRows } = asked;
  if (where.length === 0 || group !== null || isDistinct || columns.length > 1) return null;
  const [named] = columns;
  if (ask === 'time') {
    const column = named ?? measuring(table, 'time');
    return column?.kind === 'time' ? { kind: 'cells', column, isMany: false } : null;
  }
  if (ask === 'person') {
    const column = named ?? labelOf(asked);
    return column?.isPerson ? { kind: 'cells', column, isMany: isPlural } : null;
  }
  if (ask !== 'thing' && !(ask === null && isMeasured)) return null;
  const column = named ?? (namesRows ? labelOf(asked) : null);
  return column === null ? null : { kind: 'cells', column, isMany: isPlural || named === undefined };
}

function computationsOf(asked: Asked): readonly (QueryComputation | null)[] {
  const { ask, superlative, aggregate, limit } = asked;
  if (superlative !== null) return rankingsOf(asked);
  if (limit !== null) return [];
  if (ask === 'count' || ask === 'times') return countOf(asked);
  if (aggregate !== null || ask === 'much') return [aggregateOf(asked)];
  return [cellsOf(asked)];
}

/** A column whose cells say in which currency or unit a row is: sums over several would be of no unit. */
const isUnitColumn = ({ name, distinct }: ProfiledColumn): boolean =>
  /^(?:currency|unit)s?$/i.test(name) && distinct > 1;

/** Whether a number is computed from amounts in several units. */
export function mixesUnits({ table, where, computation }: QueryReading): boolean {
  const isComputed = computation.kind === 'aggregate' || (computation.kind === 'rank' && computation.of !== null);
  return (
    isComputed &&
    table.columns.some((one) => isUnitColumn(one) && !where.some((part) => part.startsWith(`${one.sql} =`)))
  );
}

/** Returns the readings of a path; none where an item of it has no part in one. */
export function readingsOf(path: readonly Item[], table: ProfiledTable): readonly QueryReading[] {
  const asked = sortLeft(path, table);
  if (asked === null) return [];
  // "How many customers were not refunded" asks for those without such a row, not for those with another one.
  const isDenied = path.some(({ role }) => role === 'not');
  return computationsOf(asked)
    .flatMap((computation) => (computation === null ? [] : [{ table, where: asked.where, computation }]))
    .filter(({ computation }) => !(isDenied && computation.kind === 'distinct'));
}
