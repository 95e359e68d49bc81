import { type Candidate, measures } from './measures.ts';
import type { Column, Profile } from './profile.ts';
import type { Filter, Group, Query, TableReading } from './query.ts';
import { readShape, type Shape } from './shape.ts';
import { holdsValue, type Preference, type Tag, tagTokens, type ValueCandidate } from './tags.ts';
import type { Limit, Token } from './tokens.ts';

/** One choice with how sure it is. */
interface Option<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** What a value or a limit may ask of a row; two bounds are on the same column. */
type FilterOptions = readonly Option<readonly Filter[]>[];

interface Filtered {
  /** What is left of the question. */
  readonly rest: readonly Tag[];
  readonly filters: readonly FilterOptions[];
}

const roles =
  /^(?:by|per|each|every|average|mean|avg|total|sum|highest|lowest|largest|smallest|maximum|minimum|max|min|distinct|different|unique|common|frequent|many|most|fewest|least|number|top|bottom)$/;
const negations = new Set(['not', 'except', 'excluding', '!=']);
const equals = new Set(['=', '==', 'equals']);
const mostReadings = 4;

const isWord = (tag: Tag | undefined, words: ReadonlySet<string>): boolean =>
  tag?.kind === 'word' && words.has(tag.word);

type ColumnTag = Extract<Tag, { kind: 'column' }>;

/** The column at the end of what was read, unless it is what is computed or grouped by. */
function qualifier(rest: readonly Tag[]): ColumnTag | null {
  const [before, last] = [rest.at(-2), rest.at(-1)];
  if (last?.kind !== 'column' || (before?.kind === 'word' && roles.test(before.word))) return null;
  return last;
}

function ofKind(candidates: readonly Candidate[], kind: Column['kind']): readonly Candidate[] {
  return candidates.filter(({ column }) => column.kind === kind);
}

/** What limits may be set on: the column that is named, else the only one of days, or what rows are worth. */
function limitOptions(limits: readonly Limit[], named: readonly Candidate[], profile: Profile): FilterOptions {
  const isNumber = limits[0]!.kind === 'number';
  const days = profile.columns.filter(({ kind }) => kind === 'day');
  const unnamed = isNumber
    ? measures(profile)
    : days.map((column) => ({ column, weight: days.length === 1 ? 1 : 0.45 }));
  const candidates = named.length > 0 ? ofKind(named, isNumber ? 'number' : 'day') : unnamed;
  return candidates.map(({ column, weight }) => ({
    value: limits.map((limit) => toFilter(limit, column.index)),
    weight,
  }));
}

function toFilter(limit: Limit, column: number): Filter {
  if (limit.kind === 'number') return { kind: 'number', column, is: limit.is, than: limit.than };
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

/** Two values of one column that are asked for together. */
function joined(first: FilterOptions, second: FilterOptions): FilterOptions {
  return first.flatMap(({ value: [a], weight }) =>
    second.flatMap(({ value: [b] }) =>
      a?.kind === 'is' && b?.kind === 'is' && a.column === b.column && a.isNot === b.isNot
        ? [{ value: [{ ...a, values: [...a.values, ...b.values] }], weight }]
        : [],
    ),
  );
}

/** Takes the filters out of the tags: values, limits, and columns that say yes or no. */
function takeFilters(tags: readonly Tag[], profile: Profile): Filtered {
  const rest: Tag[] = [];
  const filters: FilterOptions[] = [];
  const joiners = new Set(['and', 'or']);
  let lastWasValue = false;

  function takeValue(tag: Extract<Tag, { kind: 'value' }>, following: Tag | undefined): boolean {
    const isJoined = lastWasValue && isWord(rest.at(-1), joiners);
    if (isJoined) rest.pop();
    const isNot = isWord(rest.at(-1), negations);
    if (isNot) rest.pop();
    if (isWord(rest.at(-1), equals)) rest.pop();
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

  /** @returns how many tags behind it were taken as well. */
  function take(tag: Tag, at: number): number {
    if (tag.kind === 'value') return Number(takeValue(tag, tags[at + 1]));
    if (tag.kind === 'limit') {
      const before = qualifier(rest);
      const kind = tag.limits[0]!.kind === 'number' ? 'number' : 'day';
      const named = before !== null && ofKind(before.candidates, kind).length > 0 ? before.candidates : [];
      if (named.length > 0) rest.pop();
      filters.push(limitOptions(tag.limits, named, profile));
      return 0;
    }
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

function candidatesOf(tag: Tag | undefined): readonly Candidate[] {
  if (tag?.kind !== 'column') return [];
  const { candidates } = tag;
  return candidates.map(({ column, weight }) => ({ column, weight: candidates.length > 1 ? weight * 0.6 : weight }));
}

/** The columns that an aggregate can be made of. */
function targets(
  { aggregate, target }: Shape,
  rest: readonly Tag[],
  profile: Profile,
): readonly Option<number | null>[] {
  if (target === null) return [{ value: null, weight: 1 }];
  const named = target === 'measure' ? measures(profile) : candidatesOf(rest[target.tag]);
  const isOrdered = aggregate === 'min' || aggregate === 'max';
  const fitting = named.filter(
    ({ column }) => aggregate === 'distinct' || column.kind === 'number' || (isOrdered && column.kind === 'day'),
  );
  const preferred = aggregate === 'distinct' ? preferKeys(fitting) : fitting;
  return preferred.map(({ column, weight }) => ({ value: column.index, weight }));
}

const isKey = (name: string): boolean => /(?:^|[\s_.-])(?:id|key)$|Id$/.test(name);

/** Of columns that are named alike, things are told apart by their keys, and shown by their names. */
function preferKeys(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  return candidates.map(({ column, weight }) => ({ column, weight: isKey(column.name) ? weight : weight * 0.8 }));
}

function preferNames(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  return candidates.map(({ column, weight }) => ({ column, weight: isKey(column.name) ? weight * 0.8 : weight }));
}

function groups({ group }: Shape, rest: readonly Tag[], { columns }: Profile): readonly Option<Group | null>[] {
  if (group === null) return [{ value: null, weight: 1 }];
  if (typeof group === 'string') {
    const days = columns.filter(({ kind }) => kind === 'day');
    return days.map(({ index }) => ({ value: { column: index, part: group }, weight: days.length === 1 ? 1 : 0.45 }));
  }
  return preferNames(candidatesOf(rest[group.tag])).map(({ column, weight }) => ({
    value: { column: column.index, part: null },
    weight,
  }));
}

/** Other things that a shape may mean. */
function variants(shape: Shape, rest: readonly Tag[], profile: Profile): readonly Option<Shape>[] {
  if (shape.mayBeRow && shape.group !== null && typeof shape.group === 'object') {
    const isOne = candidatesOf(rest[shape.group.tag]).every(({ column }) => column.isUnique);
    const order = shape.ranking!.order === 'most first' ? 'max' : 'min';
    const limit = shape.ranking!.limit;
    const ranking = limit === 1 ? null : shape.ranking;
    const row: Shape = { ...shape, aggregate: order, group: null, ranking };
    return isOne
      ? [{ value: row, weight: 1 }]
      : [
          { value: row, weight: 0.75 },
          { value: shape, weight: 0.5 },
        ];
  }
  if (!shape.countsThings || typeof shape.target !== 'object' || shape.target === null)
    return [{ value: shape, weight: 1 }];
  const rows: Shape = { ...shape, aggregate: 'count', target: null };
  const isOne = candidatesOf(rest[shape.target.tag]).some(
    ({ column }) => column.isUnique && column.filled === profile.rows,
  );
  return isOne
    ? [{ value: rows, weight: 1 }]
    : [
        { value: shape, weight: 0.9 },
        { value: rows, weight: 0.5 },
      ];
}

/** All combinations, the surest first. */
function combine<A, B>(first: readonly Option<A>[], second: readonly Option<B>[]): Option<readonly [A, B]>[] {
  const pairs = first.flatMap((a) =>
    second.map((b) => ({ value: [a.value, b.value] as const, weight: a.weight * b.weight })),
  );
  return pairs.sort((a, b) => b.weight - a.weight).slice(0, mostReadings * 2);
}

function combineAll<Value>(options: readonly (readonly Option<Value>[])[]): readonly Option<readonly Value[]>[] {
  return options.reduce<readonly Option<readonly Value[]>[]>(
    (all, next) => combine(all, next).map(({ value: [before, one], weight }) => ({ value: [...before, one], weight })),
    [{ value: [], weight: 1 }],
  );
}

function readTags(tags: readonly Tag[], profile: Profile): Option<Query>[] {
  const { rest, filters } = takeFilters(tags, profile);
  const shape = readShape(rest);
  if (shape === null) return [];
  return variants(shape, rest, profile).flatMap(({ value: one, weight }) => {
    const columns = combine(targets(one, rest, profile), groups(one, rest, profile));
    return combine(columns, combineAll(filters)).map(({ value: [[column, group], chosen], weight: own }) => ({
      value: { aggregate: one.aggregate, column, filters: chosen.flat(), group, ranking: one.ranking },
      weight: own * weight,
    }));
  });
}

/** In the order in which they are tried, as far as anything is not sure. */
const preferences: readonly Preference[] = [
  { name: 'value', number: 'limit' },
  { name: 'column', number: 'limit' },
  { name: 'value', number: 'value' },
];

/** A question that may be tagged in two ways is read by the first of them that comes to something with less certainty. */
const unsure = 0.8;

/** No rule is so certain that nothing else could be meant. */
const mostCertain = 0.97;
const leastCertain = 0.2;

/**
 * What a question asks of a table, the likeliest first; none where it asks for anything that code cannot answer for
 * certain: every word of it has to say something of the table, or how it is counted.
 */
export function readTableQuestion(tokens: readonly Token[], profile: Profile): readonly TableReading[] {
  const found: TableReading[] = [];
  for (const [rank, preference] of preferences.entries()) {
    if (preference.number === 'value' && found.length > 0) break;
    const { tags, isUnsure } = tagTokens(tokens, profile, preference);
    const share = isUnsure ? unsure - rank / 10 : 1 - rank / 10;
    found.push(...readTags(tags, profile).map(({ value, weight }) => ({ query: value, certainty: weight * share })));
    if (!isUnsure && found.length > 0) break;
  }
  const unique = new Map(found.toReversed().map((one) => [keyOf(one.query), one]));
  return [...unique.values()]
    .filter(({ certainty }) => certainty >= leastCertain)
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, mostReadings)
    .map(({ query, certainty }) => ({ query, certainty: Math.min(1, certainty) * mostCertain }));
}

const keyOf = (query: Query): string =>
  JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
