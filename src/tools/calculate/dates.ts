import { Fraction } from 'fraction.js';
import { ToolError } from '../tool-error.ts';
import type { Duration, Moment } from './values.ts';

export const secondsOfDay = 86_400;

/** The length of units of time, in months or in seconds. */
const units: readonly (readonly [names: string, months: number, seconds: Fraction | number])[] = [
  ['ms millisecond milliseconds', 0, new Fraction(1, 1_000)],
  ['s sec secs second seconds', 0, 1],
  ['min mins minute minutes', 0, 60],
  ['h hr hrs hour hours', 0, 3_600],
  ['d day days', 0, secondsOfDay],
  ['w week weeks', 0, 7 * secondsOfDay],
  ['month months', 1, 0],
  ['quarter quarters', 3, 0],
  ['y yr yrs year years', 12, 0],
];

const byName = new Map<string, Duration>(
  units.flatMap(([names, months, seconds]) =>
    names.split(' ').map((name) => [name, { months: new Fraction(months), seconds: new Fraction(seconds) }] as const),
  ),
);

/** Returns the length of a unit of time; null for an unknown word. */
export const unitOf = (name: string): Duration | null => byName.get(name.toLowerCase()) ?? null;

const form = /^(.{10})(?:[T ](.{5}(?::\d\d)?)(?:\.(\d+))?(?:Z|(.{3}):?(\d\d))?)?$/;

/**
 * Reads a date token in the form of ISO 8601, as UTC where it has no zone.
 * @throws ToolError when there is no such day or time.
 */
export function parseDate(text: string): Moment {
  const [, day = '', clock, part = '0', zoneHours = '+00', zoneMinutes = '00'] = form.exec(text) ?? [];
  const date = new Date(`${day}T${clock ?? '00:00'}${zoneHours}:${zoneMinutes}`);
  // Date makes of February 30 a day of March, and of 24:00 the next day.
  const isDay = new Date(day).toJSON()?.startsWith(day);
  if (!isDay || Number.isNaN(date.getTime()) || (clock ?? '') >= '24')
    throw new ToolError(`there is no date ${text}; for a subtraction, put spaces around each -`);
  return { since1970: new Fraction(date.getTime() / 1_000).add(`0.${part}`), hasTime: clock !== undefined };
}

/**
 * Returns the seconds from a date to the same day so many months later, or to the last day of a shorter month.
 * @throws ToolError when the number of months is not whole.
 */
export function secondsOfMonths(moment: Moment, months: Fraction): number {
  if (months.d !== 1n) throw new ToolError('only whole months can be added to a date');
  const day = dayOf(moment);
  const shifted = new Date(day);
  shifted.setUTCMonth(day.getUTCMonth() + months.valueOf(), 1);
  const last = new Date(shifted);
  last.setUTCMonth(shifted.getUTCMonth() + 1, 0);
  shifted.setUTCDate(Math.min(day.getUTCDate(), last.getUTCDate()));
  return (expectKnown(shifted).getTime() - day.getTime()) / 1_000;
}

function expectKnown(date: Date): Date {
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9_999) return date;
  throw new ToolError('dates go from the year 0000 to 9999');
}

/**
 * Returns the day of a date, at midnight.
 * @throws ToolError outside of the years that are known.
 */
export const dayOf = ({ since1970 }: Moment): Date =>
  expectKnown(new Date(Math.floor(since1970.floor().valueOf() / secondsOfDay) * secondsOfDay * 1_000));

/** @throws ToolError outside of the years that are known. */
export function knownDate(moment: Moment): Moment {
  dayOf(moment);
  return moment;
}
