import { stemsOf } from '../cells/names.ts';
import { isMoment, type Profile } from '../profile.ts';
import {
  days,
  grades,
  type MeasureCandidate,
  measures,
  people,
  prices,
  quantities,
  tellsApart,
  timed,
} from './measures.ts';
import { tradeVerbs } from './plain-text.ts';
import { rowStems } from './row-words.ts';
import { type Domain, superlatives } from './superlative-words.ts';
import type { Tag } from './tags.ts';
import type { QuestionToken } from './tokens.ts';

type ColumnTag = Extract<Tag, { kind: 'column' }>;
type WordTag = Extract<Tag, { kind: 'word' }>;

const isColumn = (tag: Tag): tag is ColumnTag => tag.kind === 'column';
const isWord = (tag: Tag | undefined, ...words: readonly string[]): tag is WordTag =>
  tag?.kind === 'word' && words.includes(tag.word);

function byDefault(by: Domain, hasGroup: boolean, profile: Profile): readonly MeasureCandidate[] {
  if (by === 'day') return days(profile);
  if (by === 'length') return timed(profile);
  if (by === 'grade') return grades(profile);
  if (by === 'worth') {
    const own = hasGroup ? prices(profile) : [];
    return own.length > 0 ? own : measures(profile);
  }
  const found = profile.columns.filter(({ kind, name }) => kind === 'number' && by.test(name));
  return found.map((column) => ({ column, weight: found.length === 1 ? 0.9 : 0.45 }));
}

const fits = ({ candidates }: ColumnTag, by: Domain): boolean =>
  candidates.some(({ column }) => (by === 'day' ? isMoment(column) : column.kind === 'number'));

/** Whether less of a column is better: the best lap is the shortest. */
const isLessBetter = ({ candidates }: ColumnTag, profile: Profile): boolean =>
  candidates.every(({ column }) => timed(profile).some((one) => one.column.index === column.index));

/** Whether a column stands for the rows themselves: it identifies rows, or has their name. */
const isThing = ({ candidates }: ColumnTag, stems: ReadonlySet<string>): boolean =>
  candidates.some(({ column }) => tellsApart(column) || stemsOf(column.name).every((word) => stems.has(word)));

/** Turns columns that stand for the rows themselves into rows. */
export function thingsAsRows(rest: readonly Tag[], profile: Profile): readonly Tag[] {
  const stems = rowStems(profile);
  return rest.map((tag) => (isColumn(tag) && isThing(tag, stems) ? { kind: 'rows' } : tag));
}

/** Turns `who` into the column of people, where there is one. */
export function whoAsColumn(rest: readonly Tag[], profile: Profile, words: ReadonlySet<string>): readonly Tag[] {
  return rest.map((tag): Tag => {
    if (!isWord(tag, 'who')) return tag;
    const candidates = people(profile, words);
    return candidates.length === 0 ? tag : { kind: 'column', candidates, said: 'who' };
  });
}

const toWord = (word: string, token: QuestionToken): WordTag => ({ kind: 'word', word, token });

/** Turns "best" with selling into "most". */
function asMost(tag: WordTag, rest: readonly Tag[], profile: Profile): readonly Tag[] {
  const columns = rest.filter(isColumn);
  if (columns.length !== 1) return rest;
  const counted = quantities(profile);
  const candidates = counted.length > 0 ? counted : measures(profile);
  const most = toWord(tag.word === 'worst' ? 'least' : 'most', tag.token);
  return [columns[0]!, most, { kind: 'column', candidates, said: '' }];
}

/**
 * Adds what `most` refers to where the question does not say, as in `who sold the most`: the measured value of rows,
 * else their number.
 */
export function withMost(rest: readonly Tag[], profile: Profile, words: ReadonlySet<string>): readonly Tag[] {
  const [group, most] = rest.length === 3 && rest[1]!.kind === 'rows' ? [rest[0], rest[2]] : rest;
  if (
    rest.length > 3 ||
    (rest.length === 3 && rest[1]!.kind !== 'rows') ||
    group?.kind !== 'column' ||
    !isWord(most, 'most', 'least', 'fewest')
  )
    return rest;
  const candidates = measures(profile);
  if (![...words].some((word) => tradeVerbs.has(word)) || candidates.length === 0)
    return [group, most, { kind: 'rows' }];
  return [group, most, { kind: 'column', candidates, said: '' }];
}

const selling = ['sold', 'sell', 'bought', 'buy'];

/** Turns a count into a sum where a column holds the number of things per row, as in `how many lamps were sold`. */
export function asQuantity(rest: readonly Tag[], profile: Profile, words: ReadonlySet<string>): readonly Tag[] {
  const [many] = rest;
  const candidates = quantities(profile);
  if (rest.length !== 1 || !isWord(many, 'many') || candidates.length === 0) return rest;
  if (!selling.some((verb) => words.has(verb))) return rest;
  return [toWord('sum', many.token), { kind: 'column', candidates, said: '' }];
}

/** Removes columns of days that a verb names, as in `how many guests have written`. */
export function withoutDays(rest: readonly Tag[]): readonly Tag[] {
  const isDay = (tag: Tag) => isColumn(tag) && tag.candidates.every(({ column }) => isMoment(column));
  const isPart = (at: number) => isWord(rest[at - 1], ...grouping);
  return rest.some((tag, at) => isDay(tag) && !isPart(at)) ? rest.filter((tag, at) => !isDay(tag) || isPart(at)) : rest;
}

const aggregating = ['average', 'mean', 'avg', 'total', 'sum', 'combined'];
const grouping = ['by', 'per', 'each', 'every'];

/**
 * Rewrites tags with a superlative in the order of shapes: what is asked for, the most or the least, and the ranking
 * column, which a superlative may imply. Tags without one are unchanged.
 * @param words the words of the question.
 */
export function withSuperlative(rest: readonly Tag[], profile: Profile, words: ReadonlySet<string>): readonly Tag[] {
  const found = rest.find((tag): tag is WordTag => tag.kind === 'word' && superlatives.has(tag.word));
  if (found === undefined) return rest;
  const { order, by } = superlatives.get(found.word)!;
  const others = thingsAsRows(rest, profile).filter((tag) => tag !== found);
  const columns = others.filter(isColumn);
  const named = columns.find((column) => fits(column, by));
  const asked = columns.filter((column) => column !== named);
  const isSold = by === 'grade' && named === undefined && [...words].some((word) => tradeVerbs.has(word));
  if (isSold) return asMost(found, others, profile);
  const candidates = byDefault(by, asked.length > 0, profile);
  const ranks: ColumnTag | null = named ?? (candidates.length === 0 ? null : { kind: 'column', candidates, said: '' });
  if (ranks === null) return rest;
  const isTurned = by === 'grade' && isLessBetter(ranks, profile);
  const side = toWord(isTurned ? (order === 'max' ? 'min' : 'max') : order, found.token);
  const plain = others.filter((tag): tag is WordTag => tag.kind === 'word');
  const aggregates = plain.filter(({ word }) => aggregating.includes(word));
  const groups = plain.filter(({ word }) => grouping.includes(word));
  const unread = plain.filter((tag) => !aggregates.includes(tag) && !groups.includes(tag));
  const numbers = others.filter(({ kind }) => kind === 'number');
  if (groups.length > 0) return [...unread, side, ranks, ...groups, ...asked];
  const head: readonly Tag[] = asked.length > 0 ? asked : [{ kind: 'rows' }];
  return [...unread, ...numbers, ...head, side, ...aggregates, ranks];
}
