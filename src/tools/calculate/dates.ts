import { ToolError } from '../tool-error.ts';
import { type Arithmetic, floor, fraction, isWhole, type Rational, whole } from './rational.ts';
import type { Duration, Moment } from './values.ts';

const zero = whole(0n);
const daySeconds = 86_400n;

/** The length of units of time, in months or in seconds. */
const units: readonly (readonly [names: string, months: bigint, seconds: Rational])[] = [
  ['ms millisecond milliseconds', 0n, { n: 1n, d: 1_000n }],
  ['s sec secs second seconds', 0n, whole(1n)],
  ['min mins minute minutes', 0n, whole(60n)],
  ['h hr hrs hour hours', 0n, whole(3_600n)],
  ['d day days', 0n, whole(daySeconds)],
  ['w week weeks', 0n, whole(7n * daySeconds)],
  ['month months', 1n, zero],
  ['quarter quarters', 3n, zero],
  ['y yr yrs year years', 12n, zero],
];

const byName = new Map<string, Duration>(
  units.flatMap(([names, months, seconds]) =>
    names.split(' ').map((name) => [name, { kind: 'duration', months: whole(months), seconds }] as const),
  ),
);

/** Returns the length of a unit of time; null for an unknown word. */
export const unitOf = (name: string): Duration | null => byName.get(name.toLowerCase()) ?? null;

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * Reads a date in the form of ISO 8601, as UTC where it has no zone.
 * @throws ToolError when there is no such day or time.
 */
export function parseDate(text: string): Moment {
  const match = pattern.exec(text);
  const [year, month, day, hour = 0, minute = 0, second = 0] = (match ?? [])
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const days = match && daysTo(year!, month!, day!);
  if (match === null || days === null || hour > 23 || minute > 59 || second > 59)
    throw new ToolError(`there is no date ${text}; for a subtraction, put spaces around each -`);
  const [, , , , clock, , , part = '', sign, zoneHours = 0, zoneMinutes = 0] = match;
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 3_600 + Number(zoneMinutes) * 60);
  const scale = 10n ** BigInt(part.length);
  const seconds = BigInt(days * 86_400 + hour * 3_600 + minute * 60 + second - zone);
  return { kind: 'date', seconds: fraction(seconds * scale + BigInt(part || 0), scale), hasTime: clock !== undefined };
}

/** Returns the days since the beginning of 1970; null when the month has no such day. */
function daysTo(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.getTime() / 86_400_000 : null;
}

/** Adds a duration to a date. In a month that is too short for the day, the last day is taken. */
export function addDuration(moment: Moment, { months, seconds }: Duration, arithmetic: Arithmetic): Moment {
  if (!isWhole(months)) throw new ToolError('only whole months can be added to a date');
  const later = arithmetic.add(shiftMonths(moment, Number(months.n)), seconds);
  const hasTime = moment.hasTime || seconds.d !== 1n || seconds.n % daySeconds !== 0n;
  const result: Moment = { kind: 'date', seconds: later, hasTime };
  dayOf(result);
  return result;
}

function shiftMonths(moment: Moment, months: number): Rational {
  if (months === 0) return moment.seconds;
  const date = dayOf(moment);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const [year, month] = [Math.floor(total / 12), ((total % 12) + 12) % 12];
  if (Math.abs(year) > 9_999) throw outside();
  const last = new Date(0);
  last.setUTCFullYear(year, month + 1, 0);
  const days = daysTo(year, month + 1, Math.min(date.getUTCDate(), last.getUTCDate()))!;
  const moved = (BigInt(days) - BigInt(date.getTime() / 86_400_000)) * daySeconds;
  return { n: moment.seconds.n + moved * moment.seconds.d, d: moment.seconds.d };
}

const outside = (): ToolError => new ToolError('dates go from the year 0000 to 9999');

/**
 * Returns the day of a date.
 * @throws ToolError outside the supported years.
 */
export function dayOf({ seconds }: Moment): Date {
  const days = floor({ n: seconds.n, d: seconds.d * daySeconds });
  const date = new Date(Number(days) * 86_400_000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9_999)) throw outside();
  return date;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Returns the weekday in UTC, such as `Monday`. */
export const weekdayOf = (moment: Moment): string => weekdays[dayOf(moment).getUTCDay()]!;

/** Returns the seconds since the start of a moment's day, in UTC. */
export function secondsOfDay({ seconds }: Moment): Rational {
  const days = floor({ n: seconds.n, d: seconds.d * daySeconds });
  return { n: seconds.n - days * daySeconds * seconds.d, d: seconds.d };
}
