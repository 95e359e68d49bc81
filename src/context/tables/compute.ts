import { detached } from '../../base/memo.ts';
import type { Pacer } from '../../base/pacer.ts';
import { calendarPart, readDay } from './cells/days.ts';
import { add, compare, type Decimal, zero } from './cells/decimal.ts';
import { readPeriod } from './cells/moments.ts';
import { readAmount } from './cells/numbers.ts';
import { createFilter } from './filter.ts';
import type { Profile, TableColumn } from './profile.ts';
import type { Query, TableRanking } from './query.ts';
import { isBroken, type Row } from './rows/row.ts';

/** A query on one table. */
export interface TableQuery {
  readonly profile: Profile;
  readonly query: Query;
}

/** The position of a row. */
export interface RowPlace {
  /** Index into the store's documents. */
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** A row with the value that ranks it. */
interface RankedRow {
  /** The cell as written. */
  readonly cell: string;
  /** The cell that names the row; null where there is none. */
  readonly label: string | null;
  readonly value: Decimal;
  readonly place: RowPlace;
}

/** The result for the rows of a group; without groups, for all rows that count. */
export interface GroupResult {
  /** The value that the rows share; null where there are no groups. */
  readonly key: string | null;
  /** The unit or currency of the numbers, '' for none: amounts in two currencies are two groups. */
  readonly unit: string;
  readonly rows: number;
  /** Sum of the numbers; 0 where the query needs none. */
  readonly sum: Decimal;
  /** Number of distinct cells; 0 where the query does not need it. */
  readonly distinct: number;
  /** Rows with the least or the most, in that order, and how many rows share the first value. */
  readonly extremes: readonly RankedRow[];
  readonly ties: number;
  readonly first: readonly RowPlace[];
}

/** Rows that were not counted. */
interface LeftOut {
  /** The reason, to follow a number of rows: `without amount`. */
  readonly why: string;
  readonly rows: number;
  /** A cell that could not be read; null where no cell is the reason. */
  readonly example: string | null;
}

export interface TableResult {
  readonly tables: readonly TableQuery[];
  /** Rows in all tables, whether they count or not. */
  readonly rowsSeen: number;
  readonly groups: readonly GroupResult[];
  /** Rows that count, by document. */
  readonly byDocument: ReadonlyMap<number, number>;
  readonly leftOut: readonly LeftOut[];
  /** Rows in all tables that might have counted, but are broken or have an unreadable cell. */
  readonly unread: number;
}

const mostExamples = 5;
const mostRankedRows = 1000;

/** Creates the accumulator of a group's rows. */
function createGroup(key: string | null, unit: string, { aggregate, ranking }: Query) {
  const distinct = new Set<string>();
  const extremes: RankedRow[] = [];
  const first: RowPlace[] = [];
  const sign = aggregate === 'max' ? -1 : 1;
  const limit = Math.min(mostRankedRows, ranking?.limit ?? 1);
  let [rows, ties, sum] = [0, 0, zero];

  function rank(row: RankedRow): void {
    const isBefore = (other: RankedRow) => sign * compare(row.value, other.value) < 0;
    const isTie = extremes.length > 0 && compare(row.value, extremes[0]!.value) === 0;
    ties = extremes.length === 0 || isBefore(extremes[0]!) ? 1 : ties + Number(isTie);
    if (extremes.length >= limit && !isBefore(extremes.at(-1)!)) return;
    const at = extremes.findIndex(isBefore);
    extremes.splice(at === -1 ? extremes.length : at, 0, row);
    if (extremes.length > limit) extremes.pop();
  }

  /** @param value the row's number; null where rows or cells are only counted. */
  function take(place: RowPlace, cell: string, value: Decimal | null, label: string | null = null): void {
    rows++;
    if (first.length < mostExamples) first.push(place);
    if (aggregate === 'distinct' && !distinct.has(cell)) distinct.add(detached(cell));
    if (value === null) return;
    if (aggregate === 'min' || aggregate === 'max') rank({ cell, label, value, place });
    else sum = add(sum, value);
  }

  const result = (): GroupResult => ({ key, unit, rows, sum, distinct: distinct.size, extremes, ties, first });
  return { take, result };
}

type GrowingGroup = ReturnType<typeof createGroup>;

/** Creates the count of rows that are left out, by reason. */
function createLeftOut() {
  const counts = new Map<string, { rows: number; example: string | null }>();
  return {
    add(why: string, example: string | null = null): void {
      const known = counts.get(why) ?? { rows: 0, example };
      counts.set(why, known);
      known.rows++;
    },
    list: (): LeftOut[] => [...counts].map(([why, { rows, example }]) => ({ why, rows, example })),
  };
}

type LeavesOut = ReturnType<typeof createLeftOut>['add'];

function keyOf({ query: { group }, profile }: TableQuery, { cells }: Row): string | null {
  if (group === null) return '';
  const cell = cells[group.column] ?? null;
  if (cell === null || group.part === null) return cell;
  const period = readDay(cell, profile.columns[group.column]!.dayOrder);
  return period && calendarPart(period, group.part);
}

/** Reads the number in a cell; for a day, its milliseconds. */
function worthOf(cell: string, column: TableColumn): { readonly unit: string; readonly value: Decimal } | null {
  if (column.kind !== 'day' && column.kind !== 'clock') return readAmount(cell, column.mark);
  const period = readPeriod(cell, column);
  return period && { unit: '', value: { units: BigInt(period.startMs), scale: 0 } };
}

type GroupFor = (key: string, unit: string) => GrowingGroup;

/** Adds a row to its group. Returns whether the row counts. */
function takeRow(row: Row, asked: TableQuery, groupFor: GroupFor, leaveOut: LeavesOut): boolean {
  const { profile, query } = asked;
  const { columns, table } = profile;
  const key = keyOf(asked, row);
  if (key === null) {
    leaveOut(`without ${columns[query.group!.column]!.name}`);
    return false;
  }
  const place = { document: table.document, startByte: row.startByte, endByte: row.endByte };
  if (query.column === null) {
    groupFor(key, '').take(place, '', null);
    return true;
  }
  const column = columns[query.column]!;
  const cell = row.cells[query.column] ?? null;
  const worth = cell === null || query.aggregate === 'distinct' ? null : worthOf(cell, column);
  if (cell === null) leaveOut(`without ${column.name}`);
  else if (worth === null && query.aggregate !== 'distinct')
    leaveOut(`whose ${column.name} is no ${column.kind === 'number' ? 'number' : 'date'}`, cell);
  else {
    const label = query.label === null ? null : (row.cells[query.label] ?? null);
    groupFor(key, worth?.unit ?? '').take(place, cell, worth?.value ?? null, label);
  }
  return cell !== null && (worth !== null || query.aggregate === 'distinct');
}

/** Returns the number by which a group ranks. */
function rankOf({ rows, sum, distinct, extremes }: GroupResult, { aggregate }: Query): Decimal {
  if (aggregate === 'count') return { units: BigInt(rows), scale: 0 };
  if (aggregate === 'distinct') return { units: BigInt(distinct), scale: 0 };
  if (extremes.length > 0) return extremes[0]!.value;
  // Twelve digits distinguish any two means that differ when shown.
  if (aggregate === 'mean') return { units: (sum.units * 10n ** 12n) / BigInt(rows), scale: sum.scale + 12 };
  return sum;
}

const defaultOrder: TableRanking = { order: 'most first', limit: null };

function inOrder(groups: readonly GroupResult[], query: Query): GroupResult[] {
  const isByTime = query.group?.part !== null && query.ranking === null;
  if (isByTime) return groups.toSorted((a, b) => Number(a.key! > b.key!) - Number(a.key! < b.key!));
  const sign = (query.ranking ?? defaultOrder).order === 'most first' ? -1 : 1;
  return groups
    .map((group) => ({ group, rank: rankOf(group, query) }))
    .sort((a, b) => sign * compare(a.rank, b.rank))
    .map(({ group }) => group);
}

/** Returns the indexes of the columns that a query reads. */
function columnsOf({ column, label, group, filters }: Query): ReadonlySet<number> {
  return new Set(
    [column, label, group?.column, ...filters.map((one) => one.column)].filter((one) => typeof one === 'number'),
  );
}

/** Computes one query over all rows of its tables. Rejects as `pace` does. */
export async function computeTables(tables: readonly TableQuery[], pace: Pacer): Promise<TableResult> {
  const { query } = tables[0]!;
  const groups = new Map<string, GrowingGroup>();
  const leftOut = createLeftOut();
  const byDocument = new Map<number, number>();
  let [rowsSeen, broken] = [0, 0];
  function groupFor(key: string, unit: string): GrowingGroup {
    const name = unit === '' ? key : `${unit}\0${key}`;
    const known = groups.get(name);
    if (known !== undefined) return known;
    const group = createGroup(query.group === null ? null : detached(key), unit, query);
    groups.set(detached(name), group);
    return group;
  }
  for (const asked of tables) {
    const { table } = asked.profile;
    const passes = createFilter(asked, leftOut.add);
    let counted = 0;
    for (const row of table.rows(columnsOf(asked.query))) {
      const rest = pace();
      if (rest !== undefined) await rest;
      rowsSeen++;
      if (isBroken(row)) {
        broken++;
        leftOut.add(row.problem);
      } else if (passes(row) && takeRow(row, asked, groupFor, leftOut.add)) counted++;
    }
    byDocument.set(table.document, counted + (byDocument.get(table.document) ?? 0));
  }
  if (groups.size === 0 && query.group === null) groupFor('', '');
  const results = [...groups.values()].map((group) => group.result());
  return {
    tables,
    rowsSeen,
    groups: query.group === null ? results : inOrder(results, query),
    byDocument,
    leftOut: leftOut.list(),
    unread: leftOut.list().reduce((sum, { rows, example }) => sum + (example === null ? 0 : rows), broken),
  };
}
