/** Readings of a question: computations over a table. Each reading uses all words of the question. */
import * as names from '../tables/column-names.ts';
import { type ItemOf, measuring, onlyOne, takeFilters, tellsState, tellsSubject } from './filters.ts';
import type { ProfiledColumn, ProfiledTable } from './profile.ts';
import type { Item, Sense } from './senses.ts';

export interface QueryComputation {
  readonly kind: 'count' | 'distinct' | 'aggregate' | 'rank' | 'cells';
  /** The column whose values are shown or used in the computation; null if rows are counted. */
  readonly column: ProfiledColumn | null;
  /** The column that forms the groups, or that names the rows of a ranking. */
  readonly group: ProfiledColumn | null;
  /** The function that aggregates the values; null without an aggregation, as in a ranking by single cells. */
  readonly by: 'sum' | 'avg' | 'max' | 'min' | null;
  readonly order: 'most' | 'least';
  readonly limit: number;
  readonly isMany: boolean;
}

const mostPaths = 400;
const defaults = { column: null, group: null, by: null, order: 'most', limit: 1, isMany: false } as const;
const computing = (
  kind: QueryComputation['kind'],
  parts: Partial<Omit<QueryComputation, 'kind'>>,
): QueryComputation => ({ ...defaults, kind, ...parts });

export interface QueryReading {
  readonly table: ProfiledTable;
  readonly where: readonly string[];
  /** The columns of the conditions. */
  readonly filtered: readonly ProfiledColumn[];
  readonly computation: QueryComputation;
  readonly namesRows: boolean;
  /** Whether no condition uses a column that the words may not mean. */
  readonly isClear: boolean;
}

/** Returns every way to cover all words of the question with senses; empty if there are 400 or more. */
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

/** Sorts the items by role, except filters. Null if a role has too many items, or no single column fits a measure. */
function sortByRole(path: readonly Item[], table: ProfiledTable) {
  const taken = takeFilters(path, table);
  if (taken === null) return null;
  const { left, filtered } = taken;
  const columns: ProfiledColumn[] = [];
  let [group, isPlural]: [ProfiledColumn | null, boolean] = [null, false];
  for (const [at, item] of left.entries()) {
    const before = left[at - 1];
    const column =
      item.role === 'column' ? item.column : item.role === 'measure' ? measuring(table, item.of) : undefined;
    if (column === null) return null;
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
  const [asks, aggregates, superlatives, rows] = [of('ask'), of('aggregate'), of('superlative'), of('rows')];
  const after = (role: Item['role']) => path.slice(path.findIndex((item) => item.role === role) + 1);
  const [afterAsk] = after('ask');
  // In "what was ordered", `ordered` is a verb.
  const before = left[1]?.role === 'column' ? path[path.indexOf(left[1]) - 1] : undefined;
  const isAct = ['thing', 'which'].includes(asks[0]?.for ?? '') && before?.role === 'filler' && before.isLink;
  if (asks.length > 1 || aggregates.length > 1 || superlatives.length > 1 || isAct) return null;
  if (of('group').length > (group === null && superlatives.length === 0 ? 0 : 1)) return null;
  return {
    ...{ ...taken, table, group, columns, isPlural },
    isMeasured: of('measure').length > 0,
    /** Whether the words mean several rows together, as "rooms" and "spent" do. */
    isOfMany: rows.some((item) => item.isPlural) || of('measure').some(({ adds }) => adds),
    ask: asks[0]?.for === 'which' ? 'thing' : (asks[0]?.for ?? null),
    /** Whether rows or a column follow the question word: "which room", "what room", "how many rooms". */
    asksWhich: asks[0]?.for === 'which' || ['rows', 'column'].includes(afterAsk?.role ?? ''),
    /** The column that follows the question word, as in "which floor". */
    asksFor: afterAsk?.role === 'column' ? afterAsk.column : null,
    aggregate: aggregates[0]?.by ?? null,
    superlative: superlatives[0] ?? null,
    /** The counted item: the rows in "how many paid orders", and a cell in "how many lamps were sold". */
    counts: after('ask').find(
      ({ role }, at, all) => role !== 'filler' && (role !== 'value' || all[at + 1]?.role !== 'rows'),
    ),
    /** What the superlative ranks by: the rows in "the most orders", the column in "the most customers". */
    ranksBy: after('superlative').find(({ role }) => role !== 'value') ?? null,
    /** The only time column, for questions that name no time column; null if the question may mean another time. */
    time: tellsState(path, table) ? null : measuring(table, 'time'),
    tellsSubject: tellsSubject(path, table),
    isDistinct: of('distinct').length > 0,
    namesRows: rows.length > 0,
    /** Whether a column's name directly precedes the name of the rows, as in "escalated tickets". */
    isAdjective: path.some(({ role }, at) => role === 'column' && path[at + 1]?.role === 'rows'),
    namesNumber: rows.some((item) => item.isNumber),
    beginsWithRows: left.find(({ role }) => role === 'rows' || role === 'column')?.role === 'rows',
  };
}

type Asked = NonNullable<ReturnType<typeof sortByRole>>;
const selects = (of: Asked): boolean => of.namesRows || (of.where.length > 0 && !of.tellsSubject);

function countsOf(asked: Asked): readonly QueryComputation[] {
  const { table, ask, aggregate, columns, group, isDistinct, isPlural, beginsWithRows, where } = asked;
  const { subject, key, hasQuantities } = table;
  const holdsSeveral = hasQuantities || table.columns.some(({ name }) => names.isPieceName.test(name));
  const [column, ...more] = columns;
  const rows = computing('count', { group });
  const valuesOf = (of: ProfiledColumn) => computing('distinct', { column: of, group });
  if (more.length > 0 || (column !== undefined && (ask === 'times' || beginsWithRows || asked.namesNumber))) return [];
  // "How many rooms" may count the values of a column `room`, or add up the numbers of a column `rooms`.
  if (column?.kind === 'number' && (isPlural || column === table.columns[0]))
    return [valuesOf(column), computing('aggregate', { by: 'sum', column, group })];
  if (column?.kind === 'number') return asked.isAdjective ? [] : aggregatesOf(asked);
  if (aggregate === 'avg' || column?.kind === 'time' || column?.isAmount) return [];
  if (column !== undefined) {
    const isOfThings = !table.isOwn || (column !== subject && 2 * column.distinct <= table.rows);
    // "How many smokers?" may count rows, or the values of a column `smoker`.
    return isDistinct || (isOfThings && where.length === 0) ? [valuesOf(column)] : [valuesOf(column), rows];
  }
  if (isDistinct || !selects(asked) || (ask === 'times' && where.length === 0)) return [];
  // A row may stand for several pieces (`tool,number`), and several rows may stand for one order or one waiter.
  if (holdsSeveral && table.columns.some((one) => one.isOfRows && !names.isIdName.test(one.name))) return [];
  const { counts } = asked;
  // "How many tests failed?" does not ask for the lines of a logger `test`.
  if (table.name === 'log' && counts?.role === 'value' && counts.column.name === 'source') return [];
  // "How many cats?" does not ask for the vaccinations of cats, and "How many clients are not …?" not for requests.
  if (counts?.role === 'column' || (counts?.role !== 'rows' && (table.isOwn || hasQuantities))) return [];
  return key === null || key.isUnique ? [rows] : [rows, valuesOf(key)];
}

/** Returns two readings if no word means a sum ("How much did the desk cost?"). They agree if only one row matches. */
function aggregatesOf(asked: Asked): readonly QueryComputation[] {
  const { ask, aggregate, columns, group, isDistinct, isOfMany } = asked;
  const column = onlyOne(columns);
  if (isDistinct || column?.kind !== 'number' || ask === 'person' || ask === 'time') return [];
  const computed = computing('aggregate', { by: aggregate ?? 'sum', column, group });
  const isSure = aggregate !== null || group !== null || isOfMany;
  return isSure ? [computed] : [computing('cells', { column }), computed];
}

/** Returns the column of the persons that rows are about; other columns may name managers or sellers. */
function personOf({ columns, subject, isOwn }: ProfiledTable): ProfiledColumn | null {
  if (!isOwn) return onlyOne(columns.filter(({ isPerson }) => isPerson));
  return subject?.isPerson && (subject.isOfRows || /^name$/i.test(subject.name)) ? subject : null;
}

function labelOf({ table, ask, filtered, tellsSubject }: Asked): ProfiledColumn | null {
  if (ask === 'person') return tellsSubject ? null : personOf(table);
  return table.columns.find((one) => one.isLabel && !filtered.has(one)) ?? null;
}

/** Returns the computation of the first or last time, or of the row with this time. */
function edgesOf(asked: Asked, order: 'most' | 'least'): readonly QueryComputation[] {
  const { table, columns, ask, aggregate, group, limit } = asked;
  const times = columns.filter(({ kind }) => kind === 'time');
  const time = times.length === 0 ? asked.time : onlyOne(times);
  const others = columns.filter((column) => !times.includes(column));
  const isPlain = aggregate === null && group === null && limit === null && others.length < 2;
  if (!isPlain || !time?.isFull) return [];
  if (ask === 'time' && others.length === 0 && selects(asked))
    return [computing('aggregate', { column: time, by: order === 'most' ? 'max' : 'min' })];
  const text = ask === 'thing' ? table.columns.find(({ isProse }) => isProse) : undefined;
  const label = others[0] ?? text ?? labelOf(asked);
  const isNamed = label !== null && (ask === 'thing' || (ask === 'person' && label.isPerson));
  return isNamed ? [computing('rank', { column: time, group: label, order })] : [];
}

function rankingsOf(asked: Asked): readonly QueryComputation[] {
  const { table, columns, ask, aggregate, isDistinct, limit, beginsWithRows, namesRows, ranksBy } = asked;
  const { order, of, by } = asked.superlative!;
  if (of === 'time') return edgesOf(asked, order);
  if (isDistinct || ask === 'count' || ask === 'times' || ask === 'much') return [];
  const numbers = columns.filter(({ kind }) => kind === 'number');
  const column = of === null ? (numbers[0] ?? null) : measuring(table, of);
  const others = columns.filter((one) => one !== column);
  if (numbers.length > 1 || others.length > 1 || (column !== null && column === asked.asksFor)) return [];
  if (of !== null && (column === null || numbers.some((one) => one !== column))) return [];
  const [named] = asked.group === null ? others : [asked.group, ...others];
  const ranking = (parts: Partial<QueryComputation>) =>
    computing('rank', { column, order, limit: limit ?? 1, ...parts });
  if (column === null) {
    // "The fewest runners" counts rows; "donated most" may add up amounts.
    const isOfRows = by === 'rows' || (by === 'sums' && ranksBy?.role === 'rows' && ranksBy.isPlural);
    const group = named ?? (ask === 'person' ? labelOf(asked) : null);
    // Rows with an empty group may be the most numerous.
    if (!group?.isFull || aggregate !== null || !isOfRows) return [];
    // A version without changes has no row, so the version with the fewest changes is unknown.
    return order === 'least' && table.name === 'changes' ? [] : [ranking({ group })];
  }
  if (named !== undefined || ask === 'person' || ask === 'time') {
    const group = named ?? (ask === 'time' ? asked.time : labelOf(asked));
    if (group === null) return [];
    if (aggregate !== null) return [ranking({ group, by: aggregate })];
    // If rows share a label, the ranking by single rows has to agree with the ranking by sums.
    const isOfRows = group.isUnique || (of !== null && namesRows);
    return [ranking({ group }), ...(isOfRows ? [] : [ranking({ group, by: 'sum' })])];
  }
  if (aggregate !== null) return [];
  const group = labelOf(asked);
  const namesOne = asked.asksWhich || (by === 'sums' && namesRows);
  if (group === null && (namesOne || limit !== null)) return [];
  if (beginsWithRows || limit !== null || namesOne) return [ranking({ group })];
  return [computing('aggregate', { by: order === 'most' ? 'max' : 'min', column })];
}

function cellsOf(asked: Asked): readonly QueryComputation[] {
  const { ask, columns, where, group, isDistinct, isPlural, isMeasured, namesRows } = asked;
  if (where.length === 0 || group !== null || isDistinct || columns.length > 1) return [];
  const [named] = columns;
  if (ask === 'time') {
    // A time column with another name, such as `posted`, may contain a different time than the question asks for.
    const column = named ?? (/^(?:date|day|start|time(?:stamp)?)$/i.test(asked.time?.name ?? '') ? asked.time : null);
    return column?.kind === 'time' ? [computing('cells', { column })] : [];
  }
  const column = named ?? (ask === 'person' || (ask === 'thing' && namesRows) ? labelOf(asked) : null);
  const isAsked = ask === 'person' ? column?.isPerson : ask === 'thing' || (ask === null && isMeasured);
  // Amounts do not name the things that are asked for.
  if (!isAsked || column === null || (isPlural && column.kind === 'number')) return [];
  return [computing('cells', { column, isMany: isPlural || (named === undefined && ask === 'thing') })];
}

function computationsOf(asked: Asked): readonly QueryComputation[] {
  const { ask, superlative, aggregate, limit } = asked;
  // If `rooms.csv` has a column `room` with numbers, it is unclear what a row is.
  if (asked.namesNumber && asked.columns.length + asked.where.length > 0) return [];
  if (superlative !== null) return rankingsOf(asked);
  if (limit !== null) return [];
  if (ask === 'count' || ask === 'times') return countsOf(asked);
  return aggregate !== null || ask === 'much' ? aggregatesOf(asked) : cellsOf(asked);
}

/** Whether a reading counts subjects of replies, or adds up numbers whose sum has no meaning. */
export function isMisled({ table, computation: { kind, column, by, group } }: QueryReading): boolean {
  const isCounted = kind === 'count' || (kind === 'rank' && column === null);
  // "Re: Plan" and "Plan" are one subject.
  const isSubject = (isCounted ? group : kind === 'distinct' ? column : null)?.isProse === true;
  return (table.name === 'mail' && isSubject) || (by === 'sum' && names.isNoPart.test(column!.name));
}

/** Returns the readings of a path; none if an item cannot be used; null if the path makes the question ambiguous. */
export function readingsOf(path: readonly Item[], table: ProfiledTable): readonly QueryReading[] | null {
  const asked = sortByRole(path, table);
  if (asked === null) return [];
  const { where, namesRows, isClear } = asked;
  const filtered = [...asked.filtered];
  const isDenied = path.some(({ role }) => role === 'not');
  // Rows about one thing may differ: a product has 30 reviews, later 40; a ticket is open, later closed.
  const mayChange = table.isOwn && table.columns.some(({ isOfTime }) => isOfTime) && tellsState(path, table);
  const isOpen = isDenied || mayChange || filtered.some(({ kind }) => kind === 'number');
  // "Doctors born before 1960" may mean doctors whose patients were born before 1960.
  const isOfOne = filtered.some((one) => one.isLabel || one.isOfRows || one === table.subject);
  const isOther = (one: ProfiledColumn) => one.kind === 'text' && !one.isOfRows && one !== table.subject;
  const computations = computationsOf(asked);
  const ofThings = computations.filter(
    ({ kind, column }) => !column?.isUnique && (kind === 'distinct' || (kind === 'cells' && column!.kind !== 'number')),
  );
  // "Not on loan to Tate": "not" may deny one condition or both.
  if ((isDenied && where.length > 1) || (isOpen && ofThings.length > 0)) return null;
  // A section such as `Removed` describes changes, not versions.
  const has = (all: readonly ProfiledColumn[], wanted: string) => all.some(({ name }) => name === wanted);
  if (table.name === 'changes' && has(filtered, 'section') && has(asked.columns, 'version')) return null;
  if (table.isOwn && where.length > 0 && !isOfOne && ofThings.some(({ column }) => isOther(column!))) return [];
  return computations.map((computation) => ({ table, where, filtered, computation, namesRows, isClear }));
}
