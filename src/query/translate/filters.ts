/** Converts items of a question to SQL conditions on the rows of a table. */
import { literal } from '../sql.ts';
import { isPlainTime } from '../tables/column-names.ts';
import { type Comparison, isClock, isDay, type Moment, momentSql } from '../tables/moment.ts';
import type { ProfiledColumn, ProfiledTable } from './profile.ts';
import type { Item } from './senses.ts';
import { isYear } from './tokens.ts';
import type { Dimension } from './words.ts';

export type ItemOf<R extends Item['role']> = Extract<Item, { role: R }>;

export const onlyOne = <T>(all: readonly T[]): T | null => (all.length === 1 ? all[0]! : null);
const isTotal = /total|sum|value|net|gross|balance|worth|sales|turnover/i;

/** Returns the only column that can measure a dimension; null if there is no such column. Prices also measure money. */
export function measuring({ columns, isOwn }: ProfiledTable, of: Dimension): ProfiledColumn | null {
  const found = onlyOne(columns.filter(({ measures }) => measures === of || (of === 'money' && measures === 'price')));
  // In a table without a known format, a word may mean another column: "cost" may mean a price or an amount.
  const isOpen = (one: ProfiledColumn) =>
    of === 'time'
      ? one.isOfTime && one.kind !== 'time'
      : one !== found && one.kind === 'number' && (one.measures === 'money' || isTotal.test(one.name));
  return isOwn && !['duration', 'weight', 'age'].includes(of) && columns.some(isOpen) ? null : found;
}

const listOf = (values: Iterable<string | number>): string => [...values].map(literal).join(', ');

function inUnit({ value, unit }: ItemOf<'number'>, column: ProfiledColumn): number | null {
  if (unit === null) return value;
  return column.unit?.of === unit.of ? (value * unit.size) / column.unit.size : null;
}

function createConditions() {
  const where: string[] = [];
  const [filtered, equal] = [new Set<ProfiledColumn>(), new Set<ProfiledColumn>()];
  const [open, dated] = [new Set<ProfiledColumn>(), new Set<ProfiledColumn>()];
  return {
    filtered,
    addNumber(column: ProfiledColumn, is: Comparison, number: ItemOf<'number'>): boolean {
      const value = inUnit(number, column);
      if (value === null || (is === '=' && equal.has(column))) return false;
      if (is === '=') equal.add(column);
      filtered.add(column);
      if (column.hasTexts) where.push(`typeof(${column.sql}) <> 'text'`);
      where.push(`${column.sql} ${is} ${value}`);
      return true;
    },
    /** Returns false if the column does not allow the comparison, or already has a period ("January to March 2024"). */
    addMoment(column: ProfiledColumn, is: Comparison, moment: Moment): boolean {
      if (is === '=' && equal.has(column)) return false;
      if (is === '=') equal.add(column);
      if (column.written === null || !column.hasDay || (isClock(moment) && !column.hasClock)) return false;
      filtered.add(column);
      if (is === '=' && isDay(moment)) dated.add(column);
      if (is !== '=' && column.isSpread(moment)) open.add(column);
      where.push(momentSql(column.written, moment, is));
      return true;
    },
    /** Returns false for a second cell of a column, or for "not" in a column with empty cells: both are ambiguous. */
    addCells({ column, values }: ItemOf<'value'>, isNot: boolean): boolean {
      if (equal.has(column) || (isNot && (!column.isFull || column.blanks > 0))) return false;
      filtered.add(column);
      equal.add(column);
      const isOne = !isNot && values.length === 1;
      where.push(`${column.sql} ${isOne ? `= ${listOf(values)}` : `${isNot ? 'NOT ' : ''}IN (${listOf(values)})`}`);
      return true;
    },
    /** Returns the conditions. Null if a time is ambiguous, such as "after May" for rows of several years. */
    all: (): string[] | null => ([...open].some((column) => !dated.has(column)) ? null : [...new Set(where)]),
  };
}

const isCompared = ({ kind }: ProfiledColumn): boolean => kind === 'number' || kind === 'code';
const mostRanked = 50;
/** Roles of items that may precede the column that the question asks for. `undefined`: no item precedes it. */
const asking: readonly (string | undefined)[] = [undefined, 'ask', 'aggregate', 'distinct', 'superlative', 'group'];

/** Walks over the items of a question in order. Items that select rows are taken; the others are kept in `left`. */
function createWalk(path: readonly Item[], table: ProfiledTable) {
  const places = path.flatMap(({ role }, place) => (role === 'filler' ? [] : [place]));
  const items = places.map((place) => path[place]!);
  const left: Item[] = [];
  let at = 0;
  let lastLeft = -1;
  const isAsked = (index: number): boolean =>
    ['column', 'rows'].includes(items[index]?.role ?? '') && asking.includes(items[index - 1]?.role);
  return {
    left,
    take: (): Item | undefined => items[at++],
    next: (): Item | undefined => items[at],
    keep(item: Item): void {
      lastLeft = at - 1;
      left.push(item);
    },
    /** Whether the last taken item is a time of the rows: "orders in March", "orders after March". */
    isOfRows: (): boolean => items[items[at - 2]?.role === 'compare' ? at - 3 : at - 2]?.role === 'rows',
    /** Whether the last taken item describes the item before it: "status 404", "an id of 7". */
    isBound(): boolean {
      const between = path.slice((places[at - 2] ?? -1) + 1, places[at - 1]);
      return between.every((item) => !isAsked(at - 2) && item.role === 'filler' && item.isLink);
    },
    /** Takes the last column from `left` if it fits. `mayBeAsked`: whether it may be asked for or name the rows. */
    takeLast(fits: (column: ProfiledColumn) => boolean, mayBeAsked: boolean): ProfiledColumn | null {
      const last = left.at(-1);
      const column =
        last?.role === 'column' ? last.column : last?.role === 'measure' ? measuring(table, last.of) : null;
      const namesRows = column?.namesRows || (last?.role === 'column' && last.isPlural && column?.kind === 'number');
      if (column === null || !fits(column) || ((isAsked(lastLeft) || namesRows) && !mayBeAsked)) return null;
      left.pop();
      return column;
    },
  };
}

const hasCell = (path: readonly Item[], isMeant: (value: ItemOf<'value'>) => boolean): boolean =>
  path.some((item, at) => item.role === 'value' && isMeant(item) && path[at + 1]?.role !== 'rows');

/** Whether a question may be about the content of rows (a mail's subject). Content may name other people and times. */
export const tellsSubject = (path: readonly Item[], { name, isOwn, hasProse }: ProfiledTable): boolean =>
  name !== 'log' && hasCell(path, ({ column }) => column.isProse || (isOwn && hasProse));

/** Whether a question may name a state (`closed`) or content. If so, it may mean another time than the row's. */
export const tellsState = (path: readonly Item[], table: ProfiledTable): boolean =>
  tellsSubject(path, table) || (table.isOwn && hasCell(path, ({ isState }) => isState));

/** Takes the items of a path that select rows. Null if an item cannot be applied. `limit`: 3 for "top 3". */
export function takeFilters(path: readonly Item[], table: ProfiledTable) {
  const walk = createWalk(path, table);
  const conditions = createConditions();
  const { left } = walk;
  let limit: number | null = null;
  let isClear = true;

  function addNumber(is: Comparison, of: Dimension | null, number: ItemOf<'number'>): boolean {
    const { unit } = number;
    const ofUnit = unit === null ? [] : table.columns.filter((column) => column.unit?.of === unit.of);
    const meant = of === null ? null : measuring(table, of);
    const column = meant ?? walk.takeLast(isCompared, false) ?? onlyOne(ofUnit);
    return column !== null && conditions.addNumber(column, is, number);
  }
  function addMoment(is: Comparison, moment: Moment): boolean {
    const unnamed = tellsState(path, table) && !walk.isOfRows() ? null : measuring(table, 'time');
    const named = walk.takeLast(({ kind }) => kind === 'time', true);
    const column = named ?? unnamed;
    // "Cows in 2020" are not the cows that were born in 2020.
    isClear &&= !table.isOwn || named !== null || column?.isOfRows === true || isPlainTime.test(column?.name ?? '');
    return column !== null && conditions.addMoment(column, is, moment);
  }
  function addCompared({ is, of }: ItemOf<'compare'>): boolean {
    const item = walk.take();
    if (item?.role === 'number' && of !== 'time') return addNumber(is, of, item);
    const isTime = item?.role === 'moment' && (of === 'time' || (of === null && !isYear(item.moment.text)));
    return isTime && addMoment(is, item.moment);
  }
  /** Adds a number without a comparison: the limit of a superlative ("top 3"), or a cell of a named column. */
  function addPlain(number: ItemOf<'number'>): boolean {
    const before = left.at(-1)?.role;
    if (number.unit !== null || ![before, walk.next()?.role].includes('superlative')) {
      const isOfLast = before === 'column' && walk.isBound();
      const column = isOfLast ? walk.takeLast(isCompared, true) : null;
      return column !== null && conditions.addNumber(column, '=', number);
    }
    limit = number.value;
    return Number.isInteger(limit) && limit > 0 && limit <= mostRanked;
  }
  function addCells(item: ItemOf<'value'>): boolean {
    const { column, values, isOfWay } = item;
    // "Trains to Bern" are not the trains with the `origin` Bern.
    isClear &&= !isOfWay || !(table.isOwn || column.sql.includes('->>'));
    const last = left.at(-1);
    const isNamed = last?.role === 'column' ? last.column === column : last?.role === 'rows' && column.isOfRows;
    return (!column.needsName(values) || (isNamed && walk.isBound())) && conditions.addCells(item, false);
  }
  function add(item: Item): boolean {
    const denied = item.role === 'not' ? walk.take() : null;
    if (denied !== null) return denied?.role === 'value' && conditions.addCells(denied, true);
    if (item.role === 'compare') return addCompared(item);
    if (item.role === 'moment') return addMoment('=', item.moment);
    if (item.role === 'number') return addPlain(item);
    if (item.role === 'value') return addCells(item);
    walk.keep(item);
    return true;
  }

  for (let item = walk.take(); item !== undefined; item = walk.take()) if (!add(item)) return null;
  const where = conditions.all();
  return where && { left, where, filtered: conditions.filtered, limit, isClear };
}
