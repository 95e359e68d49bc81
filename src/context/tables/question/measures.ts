import { measuredBy, unitsInName } from '../cells/units.ts';
import type { Profile, TableColumn } from '../profile.ts';

/** A column that may be meant, with its likelihood: above 0, at most 1. */
export interface MeasureCandidate {
  readonly column: TableColumn;
  readonly weight: number;
}

/** Whether a column identifies rows, as an id does. */
export const tellsApart = ({ isUnique, kind, isWhole, name }: TableColumn): boolean =>
  isUnique &&
  (kind === 'text' || (kind === 'number' && isWhole && /(?:^|[\s_.-])(?:id|no|nr|number|key|ref)$|Id$/i.test(name)));

/**
 * Returns the columns that may hold the measured value of rows, the likeliest first: the only numeric column, or the
 * only one with a telling name.
 */
export function measures({ columns }: Profile): readonly MeasureCandidate[] {
  const numbers = columns.filter(({ kind, name, isUnique, isWhole }) => {
    const isName = /(?:^|[\s_.-])(?:id|no|nr|number|code|zip|year|port|phone|index|key|line|status)$|Id$/i.test(name);
    return kind === 'number' && !isName && !(isUnique && isWhole);
  });
  if (numbers.length === 1) return [{ column: numbers[0]!, weight: 0.9 }];
  const worth = numbers.filter(({ name }) =>
    /(?:^|[\s_.-])(?:amount|total|revenue|sales|sum|value)(?:$|[\s_.-])/i.test(name),
  );
  if (worth.length === 1) return [{ column: worth[0]!, weight: 0.8 }];
  return (worth.length > 0 ? worth : numbers).map((column) => ({ column, weight: 0.45 }));
}

const isTimed = ({ kind, name, units }: TableColumn): boolean =>
  kind === 'number' &&
  ([...unitsInName(name), ...units].some((unit) => measuredBy(unit) === 'time') ||
    /duration|elapsed|latency|runtime/i.test(name));

/** Returns the numeric columns with a matching name. */
function numbersNamed({ columns }: Profile, name: RegExp): readonly MeasureCandidate[] {
  const found = columns.filter((column) => column.kind === 'number' && name.test(column.name));
  return found.map((column) => ({ column, weight: found.length === 1 ? 0.9 : 0.45 }));
}

/** Returns the columns with durations. */
export const timed = ({ columns }: Profile): readonly MeasureCandidate[] =>
  columns.filter(isTimed).map((column) => ({ column, weight: 0.8 }));

/** Returns the columns with ratings, where more is better. */
export const grades = (profile: Profile): readonly MeasureCandidate[] =>
  numbersNamed(profile, /(?:^|[^a-z])(?:ratings?|scores?|stars?|grades?|csat|nps|satisfaction|marks?)(?:$|[^a-z])/i);

/** Returns the columns with the number of things that a row stands for. */
export const quantities = (profile: Profile): readonly MeasureCandidate[] =>
  numbersNamed(profile, /^(?:qty|quantity|units?|pieces|pcs|items|count)$|(?:^|_)(?:qty|quantity)(?:$|_)/i);

/** Returns the columns with prices. */
export const prices = (profile: Profile): readonly MeasureCandidate[] => numbersNamed(profile, /price|cost/i);

/** Returns the columns of days, else of times of day; among several, start dates are likelier. */
export function days({ columns }: Profile): readonly MeasureCandidate[] {
  const dated = columns.filter(({ kind }) => kind === 'day');
  const found = dated.length > 0 ? dated : columns.filter(({ kind }) => kind === 'clock');
  if (found.length < 2) return found.map((column) => ({ column, weight: 0.95 }));
  const begins = /^(?:ts|date|time|timestamp|day)$|creat|open|start|began|begin|order|placed|received|logged|sent/i;
  const named = found.filter(({ name }) => begins.test(name));
  const likely = named.length > 0 ? named : found;
  return likely.map((column) => ({ column, weight: likely.length === 1 ? 0.8 : 0.5 }));
}

const staff =
  /agent|seller|sales_?(?:person|man|rep)|(?:^|_)rep(?:$|_)|employee|staff|clerk|assignee|operator|technician|engineer|worker|driver|player|rider|author|owner|actor|handler|host|courier|cashier/i;
const buyers = /customer|client|buyer|shopper|guest|patient|member|subscriber|account|payer/i;
const anyone = /^(?:name|person|who|user|user_?name|sender|by|requester|reporter)$|(?:_by|By)$/;

/**
 * Returns the columns of people that `who` may ask for.
 * @param verbs the words of the question: a person who spends is a buyer.
 */
export function people({ columns }: Profile, verbs: ReadonlySet<string>): readonly MeasureCandidate[] {
  const texts = columns.filter(({ kind }) => kind === 'text');
  const buys = ['spend', 'spent', 'buy', 'bought', 'pay', 'paid', 'purchased', 'ordered', 'order'];
  const order = buys.some((verb) => verbs.has(verb)) ? [buyers, staff, anyone] : [staff, buyers, anyone];
  for (const names of order) {
    const found = texts.filter(({ name }) => names.test(name));
    if (found.length > 0) return found.map((column) => ({ column, weight: found.length === 1 ? 0.85 : 0.45 }));
  }
  return [];
}
