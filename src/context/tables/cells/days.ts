/** A written time without its zone, as a range: milliseconds since 1970, read as UTC. */
export interface Period {
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

/** Order of day and month in `03/04/2024`. */
export type DayOrder = 'day first' | 'month first';

const dayMs = 86_400_000;
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const name = '(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const clock = String.raw`(?:[T ,]+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?<fraction>[.,]\d{1,9})?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)?`;
const forms = [
  String.raw`(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})${clock}`,
  `(?<day>\\d{1,2})(?:st|nd|rd|th)?[ -]${name},?[ -](?<year>\\d{4})${clock}`,
  `${name}[ -](?<day>\\d{1,2})(?:st|nd|rd|th)?,?[ -](?<year>\\d{4})${clock}`,
].map((form) => new RegExp(`^${form}$`, 'i'));
const slashed = new RegExp(String.raw`^(?<one>\d{1,2})([-/.])(?<two>\d{1,2})\2(?<year>\d{4})${clock}$`);

/** Returns the start of a day in ms, or null where the calendar lacks it. */
function startOf(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000 ? ms : null;
}

function withClock(day: number | null, groups: { readonly [name: string]: string | undefined }): Period | null {
  if (day === null) return null;
  const { hour, minute, second, fraction } = groups;
  if (hour === undefined) return { startMs: day, endMs: day + dayMs };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  const ms = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second ?? 0) * 1000;
  const part = fraction === undefined ? 0 : Number(`0.${fraction.slice(1)}`) * 1000;
  const length = second === undefined ? 60_000 : fraction === undefined ? 1000 : 1;
  return { startMs: day + ms + Math.floor(part), endMs: day + ms + Math.floor(part) + length };
}

/** Returns the order of day and month that a date such as `25/12/2024` shows; undefined where it is open. */
export function tellDayOrder(text: string): DayOrder | undefined {
  const { one, two } = slashed.exec(text)?.groups ?? {};
  if (one === undefined) return undefined;
  if (Number(one) > 12) return 'day first';
  return Number(two) > 12 ? 'month first' : undefined;
}

/** Whether reading a date needs the order of day and month. */
export const needsDayOrder = (text: string): boolean => slashed.test(text);

/** Reads a cell as a day or a time; null for anything else, and where the order of day and month is unknown. */
export function readDay(text: string, order: DayOrder | null): Period | null {
  if (text.length < 8 || text.length > 40 || !/\d{4}/.test(text)) return null;
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { year, month, day, name: monthName } = groups;
    const number = monthName === undefined ? Number(month) : monthNames.indexOf(monthName.toLowerCase()) + 1;
    return withClock(startOf(Number(year), number, Number(day)), groups);
  }
  const groups = slashed.exec(text)?.groups;
  if (groups === undefined) return null;
  const known = tellDayOrder(text) ?? order;
  if (known === null) return null;
  const [day, month] = known === 'day first' ? [groups['one'], groups['two']] : [groups['two'], groups['one']];
  return withClock(startOf(Number(groups['year']), Number(month), Number(day)), groups);
}

/** Returns a month of a year, or the whole year where the month is null. */
export function periodOf(year: number, month: number | null): Period {
  if (month === null) return { startMs: Date.UTC(year, 0, 1), endMs: Date.UTC(year + 1, 0, 1) };
  return { startMs: Date.UTC(year, month - 1, 1), endMs: Date.UTC(year, month, 1) };
}

/** Returns a quarter of a year, 1 to 4. */
export const quarterOf = (year: number, quarter: number): Period => ({
  startMs: Date.UTC(year, quarter * 3 - 3, 1),
  endMs: Date.UTC(year, quarter * 3, 1),
});

/** Returns the number of a month, from 1, by its English name or the first three letters; null for other words. */
export function monthOf(word: string): number | null {
  const lower = word.toLowerCase().replace(/\.$/, '');
  const full = 'january february march april may june july august september october november december'.split(' ');
  const at = full.findIndex(
    (month) => month === lower || month.slice(0, 3) === lower || (lower === 'sept' && month === 'september'),
  );
  return at === -1 ? null : at + 1;
}

/** A part of the calendar that rows can be grouped by. */
export type CalendarPart = 'day' | 'month' | 'year';

/** Formats a part of a date: `2024-03`. */
export function calendarPart({ startMs }: Period, part: CalendarPart): string {
  const iso = new Date(startMs).toISOString();
  return iso.slice(0, part === 'day' ? 10 : part === 'month' ? 7 : 4);
}
