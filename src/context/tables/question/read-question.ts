import type { Profile, TableColumn } from '../profile.ts';
import type { Group, Query, TableReading } from '../query.ts';
import { type Attempt, otherAttempts } from './attempts.ts';
import { type MeasureCandidate, measures, tellsApart } from './measures.ts';
import { readShape, type Shape } from './shape.ts';
import { asQuantity } from './superlatives.ts';
import { type Preference, type Tag, tagTokens } from './tags.ts';
import { type Filtered, type Option, takeFilters } from './take-filters.ts';
import type { QuestionToken } from './tokens.ts';

const mostReadings = 4;

const isKey = (name: string): boolean => /(?:^|[\s_.-])(?:id|key)$|Id$/.test(name);

/** Prefers keys, which identify things. */
const byKeys = ({ name }: TableColumn): number => (isKey(name) ? 1 : 0.8);
/** Prefers names, which are shown to people. */
const byNames = ({ name }: TableColumn): number => (isKey(name) ? 0.8 : 1);
const alike = (): number => 1;

/** Returns the columns that a tag may mean; among equal names, `prefer` decides the order. */
function candidatesOf(
  tag: Tag | undefined,
  prefer: (column: TableColumn) => number = alike,
): readonly MeasureCandidate[] {
  if (tag?.kind !== 'column' || tag.candidates.length < 2) return tag?.kind === 'column' ? tag.candidates : [];
  const rated = tag.candidates.map(({ column, weight }) => ({ column, weight: weight * prefer(column) }));
  const best = Math.max(...rated.map(({ weight }) => weight));
  const isOne = rated.filter(({ weight }) => weight === best).length === 1;
  return rated.map(({ column, weight }) => ({ column, weight: isOne && weight === best ? weight : weight * 0.6 }));
}

/** Returns the columns that an aggregate can be computed from. */
function targets(
  { aggregate, target }: Shape,
  rest: readonly Tag[],
  profile: Profile,
): readonly Option<number | null>[] {
  if (target === null) return [{ value: null, weight: 1 }];
  const named =
    target === 'measure'
      ? measures(profile)
      : candidatesOf(rest[target.tag], aggregate === 'distinct' ? byKeys : alike);
  const isOrdered = aggregate === 'min' || aggregate === 'max';
  const fitting = named.filter(
    ({ column }) => aggregate === 'distinct' || column.kind === 'number' || (isOrdered && column.kind !== 'text'),
  );
  return fitting.map(({ column, weight }) => ({ value: column.index, weight }));
}

function groups({ group }: Shape, rest: readonly Tag[], { columns }: Profile): readonly Option<Group | null>[] {
  if (group === null) return [{ value: null, weight: 1 }];
  if (typeof group === 'string') {
    const days = columns.filter(({ kind }) => kind === 'day');
    return days.map(({ index }) => ({ value: { column: index, part: group }, weight: days.length === 1 ? 1 : 0.45 }));
  }
  return candidatesOf(rest[group.tag], byNames).map(({ column, weight }) => ({
    value: { column: column.index, part: null },
    weight,
  }));
}

/** Whether the ranking column's name implies a sum per group, as in `the customer with the highest total`. */
function isSummed(rest: readonly Tag[], { target }: Shape): boolean {
  const tag = typeof target === 'object' && target !== null ? rest[target.tag] : undefined;
  return tag?.kind === 'column' && /^(?:total|revenue|sales|turnover|spend|spending)$/.test(tag.said);
}

/** Returns other meanings of a shape. */
function variants(shape: Shape, rest: readonly Tag[]): readonly Option<Shape>[] {
  if (shape.mayBeRow && shape.group !== null && typeof shape.group === 'object') {
    const isOne = candidatesOf(rest[shape.group.tag]).every(({ column }) => column.isUnique);
    const order = shape.ranking!.order === 'most first' ? 'max' : 'min';
    const limit = shape.ranking!.limit;
    const ranking = limit === 1 ? null : shape.ranking;
    const row: Shape = { ...shape, aggregate: order, group: null, ranking, label: shape.group };
    return isOne
      ? [{ value: row, weight: 1 }]
      : [
          { value: row, weight: isSummed(rest, shape) ? 0.5 : 0.75 },
          { value: shape, weight: isSummed(rest, shape) ? 0.85 : 0.5 },
        ];
  }
  if (!shape.countsThings || typeof shape.target !== 'object' || shape.target === null)
    return [{ value: shape, weight: 1 }];
  const candidates = candidatesOf(rest[shape.target.tag], byKeys);
  const named = candidates.map(({ column }) => column);
  const rows: Option<Shape> = { value: { ...shape, aggregate: 'count', target: null }, weight: 1 };
  // A numeric column of passengers holds how many there are.
  if (named.some(({ kind, name }) => kind === 'number' && !isKey(name))) {
    const isTold = candidates.every(({ column: { units }, weight }) => weight >= 0.9 && units.join('') === '');
    if (shape.ranking !== null) return [{ value: { ...shape, aggregate: 'sum' }, weight: 1 }];
    return isTold ? [{ value: { ...shape, aggregate: 'sum' }, weight: 0.9 }] : [];
  }
  if (named.some(({ isUnique }) => isUnique)) return [rows];
  const distinct: Option<Shape> = { value: { ...shape, aggregate: 'distinct' }, weight: 0.9 };
  return named.some(({ name }) => isKey(name)) ? [distinct, { ...rows, weight: 0.5 }] : [distinct];
}

/** Returns all combinations, the likeliest first. */
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

const counting = new Set(['many', 'number']);
const plural = /(?:[^s]s|people|staff|children|men)$/;

/**
 * Assumes that an unexplained word names the rows, where it is counted and something else selects rows: `employees` in
 * "how many employees are in Sales".
 */
function assumeRows(rest: readonly Tag[]): { readonly rest: readonly Tag[]; readonly assumes: string } | null {
  const at = rest.findIndex((tag, index) => {
    const before = rest[index - 1];
    return tag.kind === 'word' && plural.test(tag.word) && before?.kind === 'word' && counting.has(before.word);
  });
  const tag = rest[at];
  return tag?.kind === 'word' ? { rest: rest.with(at, { kind: 'rows' }), assumes: tag.token.text } : null;
}

/** Factor for a reading with an assumed word. */
const assumed = 0.6;
/** Factor for a counted value, as in "how many drills": a row may stand for many of them. */
const countedValue = 0.8;

/** Returns the column that names a row: the one that is asked for, else the one that identifies rows. */
function labelOf({ label }: Shape, rest: readonly Tag[], column: number | null, { columns }: Profile): number | null {
  const asked = label === null ? undefined : candidatesOf(rest[label.tag], byNames)[0];
  if (asked !== undefined) return asked.column.index;
  return columns.find((one) => tellsApart(one) && one.index !== column)?.index ?? null;
}

/** Returns the readings of tags without filters that code can answer. */
function readRest(
  { rest, weight: share, assumes, unused }: Attempt,
  filters: Filtered['filters'],
  profile: Profile,
): TableReading[] {
  const shape = readShape(rest);
  if (shape === null) return [];
  const isOfValues = shape.aggregate === 'count' && !rest.some(({ kind }) => kind === 'rows');
  return variants(shape, rest).flatMap(({ value: one, weight }) => {
    const columns = combine(targets(one, rest, profile), groups(one, rest, profile));
    return combine(columns, combineAll(filters)).map(({ value: [[column, group], chosen], weight: own }) => {
      const { aggregate, ranking } = one;
      const isRow = group === null && (aggregate === 'min' || aggregate === 'max');
      const label = isRow ? labelOf(one, rest, column, profile) : null;
      return {
        query: { aggregate, column, filters: chosen.flat(), group, ranking, label },
        certainty: own * weight * share * (isOfValues ? countedValue : 1),
        assumes,
        unused,
      };
    });
  });
}

/** Returns the readings of the first interpretation that has any. */
function readTags(tags: readonly Tag[], profile: Profile, words: ReadonlySet<string>): TableReading[] {
  const { rest, filters } = takeFilters(tags, profile);
  const plain: Attempt = { rest, weight: 1, assumes: null, unused: [] };
  const taken = filters.length > 0 ? assumeRows(rest) : null;
  const quantity = { ...plain, rest: asQuantity(rest, profile, words) };
  const attempts = [quantity, plain, ...(taken === null ? [] : [{ ...plain, ...taken, weight: assumed }])];
  for (const attempt of [...attempts, ...otherAttempts(plain, profile, words, filters.length > 0)]) {
    const readings = readRest(attempt, filters, profile);
    if (readings.length > 0) return readings;
  }
  return [];
}

/** Preferences in the order in which they are tried until a reading is certain enough. */
const preferences: readonly Preference[] = [
  { name: 'value', number: 'limit' },
  { name: 'column', number: 'limit' },
  { name: 'value', number: 'value' },
];

/** Factor for a question that can be tagged in two ways. */
const unsure = 0.8;

/** Certainty of a reading, at most. */
const mostCertain = 0.97;
const leastCertain = 0.2;

/**
 * Reads what a question asks about a table, the likeliest reading first; none where code cannot answer it. Every word
 * has to refer to the table or to the computation, except one or two that the answer names.
 */
export function readTableQuestion(tokens: readonly QuestionToken[], profile: Profile): readonly TableReading[] {
  const found: TableReading[] = [];
  const words = new Set(tokens.map(({ word }) => word));
  for (const [rank, preference] of preferences.entries()) {
    if (preference.number === 'value' && found.length > 0) break;
    const { tags, isUnsure } = tagTokens(tokens, profile, preference);
    const share = isUnsure ? unsure - rank / 10 : 1 - rank / 10;
    found.push(...readTags(tags, profile, words).map((one) => ({ ...one, certainty: one.certainty * share })));
    if (!isUnsure && found.length > 0) break;
  }
  const unique = new Map(found.toReversed().map((one) => [keyOf(one.query), one]));
  return [...unique.values()]
    .toReversed()
    .filter(({ certainty }) => certainty >= leastCertain)
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, mostReadings)
    .map((one) => ({ ...one, certainty: Math.min(1, one.certainty) * mostCertain }));
}

const keyOf = (query: Query): string =>
  JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
