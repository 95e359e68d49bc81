import { measuredBy, unitInName } from '../cells/units.ts';
import type { Profile, TableColumn } from '../profile.ts';
import type { Filter } from '../query.ts';
import { type MeasureCandidate, measures } from './measures.ts';
import type { ValueCandidate } from './mentions.ts';
import { holdsValue, type Tag } from './tags.ts';
import type { Limit } from './tokens.ts';

/** One alternative with its likelihood. */
export interface Option<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** The alternative filters for a value or a limit; two bounds apply to the same column. */
type FilterOptions = readonly Option<readonly Filter[]>[];

export interface Filtered {
  /** The tags without filters. */
  readonly rest: readonly Tag[];
  readonly filters: readonly FilterOptions[];
}

const roles =
  /^(?:by|per|each|every|average|mean|avg|total|sum|highest|lowest|largest|smallest|maximum|minimum|max|min|distinct|different|unique|common|frequent|many|most|fewest|least|number|top|bottom)$/;
const negations = new Set(['not', 'except', 'excluding', '!=']);
const by = new Set(['by']);
const equals = new Set(['=', '==', 'equals']);

const isWord = (tag: Tag | undefined, words: ReadonlySet<string>): boolean =>
  tag?.kind === 'word' && words.has(tag.word);

type ColumnTag = Extract<Tag, { kind: 'column' }>;

/** Returns the column that was read last, unless it is computed or grouped by. */
function qualifier(rest: readonly Tag[]): ColumnTag | null {
  const [before, last] = [rest.at(-2), rest.at(-1)];
  if (last?.kind !== 'column' || (before?.kind === 'word' && roles.test(before.word))) return null;
  return last;
}

function ofKind(candidates: readonly MeasureCandidate[], kind: TableColumn['kind']): readonly MeasureCandidate[] {
  return candidates.filter(({ column }) => column.kind === kind);
}

/**
 * Returns the columns that a limit may apply to when none is named: those with its unit, else the measured value of
 * rows.
 */
function limitable(limits: readonly Limit[], profile: Profile): readonly MeasureCandidate[] {
  const [limit] = limits;
  if (limit!.kind === 'number') {
    const measured = measuredBy(limit!.unit);
    const alike = measured === '' ? [] : profile.columns.filter((column) => isMeasuredIn(column, measured));
    return alike.length > 0
      ? alike.map((column) => ({ column, weight: alike.length === 1 ? 0.9 : 0.45 }))
      : measures(profile);
  }
  const days = profile.columns.filter(({ kind }) => kind === 'day');
  return days.map((column) => ({ column, weight: days.length === 1 ? 1 : 0.45 }));
}

const isMeasuredIn = ({ kind, name, units }: TableColumn, measured: string): boolean =>
  kind === 'number' && [unitInName(name), ...units].some((unit) => measuredBy(unit) === measured);

/** Whether a limit's unit differs from that of a column, so that it cannot apply. */
function isForeign(limit: Limit, { name, units }: TableColumn): boolean {
  if (limit.kind !== 'number' || measuredBy(limit.unit) === '') return false;
  const own = [unitInName(name), ...units].map(measuredBy).filter((one) => one !== '');
  return own.length > 0 && !own.includes(measuredBy(limit.unit));
}

function limitOptions(limits: readonly Limit[], named: readonly MeasureCandidate[], profile: Profile): FilterOptions {
  const kind = limits[0]!.kind === 'number' ? 'number' : 'day';
  const candidates = named.length > 0 ? ofKind(named, kind) : limitable(limits, profile);
  return candidates
    .filter(({ column }) => !limits.some((limit) => isForeign(limit, column)))
    .map(({ column, weight }) => ({ value: limits.map((limit) => toFilter(limit, column.index)), weight }));
}

function toFilter(limit: Limit, column: number): Filter {
  if (limit.kind === 'number') return { kind: 'number', column, is: limit.is, than: limit.than, unit: limit.unit };
  if (limit.kind === 'month') return { kind: 'month', column, month: limit.month, says: limit.says };
  return { kind: 'time', column, within: limit.within, says: limit.says };
}

function valueOptions(candidates: readonly ValueCandidate[], isNot: boolean): FilterOptions {
  const share = candidates.length > 1 ? 0.6 : 1;
  return candidates.map(({ column, values, weight }) => ({
    value: [{ kind: 'is', column: column.index, values, isNot }],
    weight: weight * share,
  }));
}

/** Joins two values of one column. */
function joined(first: FilterOptions, second: FilterOptions): FilterOptions {
  return first.flatMap(({ value: [a], weight }) =>
    second.flatMap(({ value: [b] }) =>
      a?.kind === 'is' && b?.kind === 'is' && a.column === b.column && a.isNot === b.isNot
        ? [{ value: [{ ...a, values: [...a.values, ...b.values] }], weight }]
        : [],
    ),
  );
}

/** Separates the filters from the tags: values, limits, and columns of yes and no. */
export function takeFilters(tags: readonly Tag[], profile: Profile): Filtered {
  const rest: Tag[] = [];
  const filters: FilterOptions[] = [];
  const joiners = new Set(['and', 'or']);
  let lastWasValue = false;

  function takeValue(tag: Extract<Tag, { kind: 'value' }>, following: Tag | undefined): boolean {
    const isJoined = lastWasValue && isWord(rest.at(-1), joiners);
    if (isJoined) rest.pop();
    const isNot = isWord(rest.at(-1), negations);
    if (isNot) rest.pop();
    if (isWord(rest.at(-1), equals) || isWord(rest.at(-1), by)) rest.pop();
    const before = qualifier(rest);
    const fits = (column: ColumnTag | null) => column?.candidates.some((one) => holdsValue(tag, one.column));
    const named = fits(before) ? before : following?.kind === 'column' && fits(following) ? following : null;
    if (named !== null && named === before) rest.pop();
    const candidates =
      named === null ? tag.candidates : tag.candidates.filter(({ column }) => holdsValue(named, column));
    const options = valueOptions(candidates, isNot);
    const both = isJoined ? joined(filters.at(-1)!, options) : [];
    if (both.length > 0) filters[filters.length - 1] = both;
    else filters.push(options);
    return named !== null && named === following;
  }

  /** Takes a limit for the column before it, or the one after it, as in `at least 140 passengers`. */
  function takeLimit({ limits }: Extract<Tag, { kind: 'limit' }>, following: Tag | undefined): number {
    const kind = limits[0]!.kind === 'number' ? 'number' : 'day';
    const isFit = (tag: Tag | undefined | null): tag is ColumnTag =>
      tag?.kind === 'column' && ofKind(tag.candidates, kind).length > 0;
    const isBy = isWord(rest.at(-1), by);
    const before = qualifier(isBy ? rest.slice(0, -1) : rest);
    if (isFit(before)) rest.splice(isBy ? -2 : -1);
    const isBehind = !isFit(before) && kind === 'number' && isFit(following);
    const named = isFit(before) ? before.candidates : isBehind ? following.candidates : [];
    filters.push(limitOptions(limits, named, profile));
    return Number(isBehind);
  }

  /** @returns how many of the following tags were taken too. */
  function take(tag: Tag, at: number): number {
    if (tag.kind === 'value') return Number(takeValue(tag, tags[at + 1]));
    if (tag.kind === 'limit') return takeLimit(tag, tags[at + 1]);
    const yes = tag.kind === 'column' ? tag.candidates.find(({ column }) => column.yes !== null) : undefined;
    const before = tags[at - 1];
    const isRole = before?.kind === 'word' && roles.test(before.word) && before.word !== 'many';
    if (yes !== undefined && !isRole && tags[at + 1]?.kind !== 'value') {
      const { column, weight } = yes;
      const isNot = isWord(rest.at(-1), negations);
      if (isNot) rest.pop();
      filters.push([{ value: [{ kind: 'is', column: column.index, values: column.yes!, isNot }], weight }]);
    } else rest.push(tag);
    return 0;
  }

  for (let at = 0; at < tags.length; at++) {
    const tag = tags[at]!;
    at += take(tag, at);
    if (tag.kind !== 'word') lastWasValue = tag.kind === 'value';
  }
  return { rest, filters };
}
