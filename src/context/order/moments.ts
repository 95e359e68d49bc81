/** The time stamp of a log line. */
export interface Moment {
  /** Milliseconds since 1970, UTC; a time stamp without a zone is read as UTC. */
  readonly ms: number;
  /** Whether the time stamp has a year; syslog's has none, and then `ms` is in the year `yearless`. */
  readonly hasYear: boolean;
}

/** A leap year, so that the 29th of February is a day. */
const yearless = 2000;
/** Characters at the start of a line that may hold its time stamp; a later time is part of the content. */
const headCharacters = 100;

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const clock = '(?<hour>\\d\\d):(?<minute>\\d\\d)';
const second = ':(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?';

const forms = [
  // ISO 8601 and `2026-03-17 13:42:26`
  `(?<!\\d)(?<year>\\d{4})[-/](?<month>\\d\\d)[-/](?<day>\\d\\d)[T ]${clock}(?:${second})?\\s?(?<zone>Z|[+-]\\d\\d:?\\d\\d(?!\\d))?`,
  // The common log format: `17/Mar/2026:13:42:26 +0000`
  `(?<!\\d)(?<day>\\d\\d)/${month}/(?<year>\\d{4}):${clock}${second}(?:\\s(?<zone>[+-]\\d{4}))?`,
  // Syslog: `Mar 17 13:42:26`
  `\\b${month}\\s+(?<day>\\d{1,2})\\s${clock}${second}(?!\\d)`,
  // Messengers: `17/03/2026, 13:42 - `, `17.03.2026 13:42:26`; with AM or PM the month is first
  `(?<![\\d/.])(?<day>\\d{1,2})(?<mark>[/.])(?<month>\\d{1,2})\\k<mark>(?<year>\\d{4}),?[T ]\\s?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?:${second})?(?:\\s?(?<half>[ap])m\\b)?`,
  // Android: `03-17 13:42:26.103`
  `^(?<month>\\d\\d)-(?<day>\\d\\d)\\s${clock}${second}`,
].map((form) => new RegExp(form, 'i'));

function offsetMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'half';

function toMoment(part: { readonly [name in Part]?: string }): Moment | null {
  const named = months.indexOf(part.month!.toLowerCase());
  const isMonthFirst = part.half !== undefined || Number(part.month) > 12;
  const [dayPart, monthPart] = isMonthFirst ? [part.month, part.day] : [part.day, part.month];
  const monthIndex = named === -1 ? Number(monthPart) - 1 : named;
  const [day, minute] = [Number(dayPart), Number(part.minute)];
  const hour = part.half === undefined ? Number(part.hour) : (Number(part.hour) % 12) + (/p/i.test(part.half) ? 12 : 0);
  if (monthIndex < 0 || monthIndex > 11 || day < 1 || day > 31 || hour > 23 || minute > 59) return null;
  const seconds = Number(`${part.second ?? 0}.${part.fraction ?? 0}`);
  const ms = Date.UTC(Number(part.year ?? yearless), monthIndex, day, hour, minute) + Math.round(seconds * 1000);
  return { ms: ms - offsetMs(part.zone), hasYear: part.year !== undefined };
}

/** Reads the time stamp at the start of a line; null where there is none. */
export function readMoment(line: string): Moment | null {
  const head = line.slice(0, headCharacters);
  for (const form of forms) {
    const found = form.exec(head);
    if (found !== null) return toMoment(found.groups as Parameters<typeof toMoment>[0]);
  }
  return null;
}

/** Returns a line without its time stamp, whose digits are not part of the content. */
export function withoutMoment(line: string): string {
  const head = line.slice(0, headCharacters);
  const form = forms.find((one) => one.test(head));
  return form === undefined ? line : `${head.replace(form, ' ')}${line.slice(headCharacters)}`;
}

/** A line with its time stamp. */
export interface TimedLine {
  readonly text: string;
  readonly moment: Moment;
}

/** Sorts lines by time; equal times keep their order. A time stamp without a year gets the year of the others. */
export function sortByTime<Line extends TimedLine>(lines: readonly Line[]): Line[] {
  const told = lines.find(({ moment }) => moment.hasYear);
  const year = told === undefined ? yearless : new Date(told.moment.ms).getUTCFullYear();
  const placed = lines.map((line) => ({
    line,
    ms: line.moment.hasYear ? line.moment.ms : inYear(line.moment.ms, year),
  }));
  return placed
    .sort((one, other) => one.ms - other.ms)
    .map(({ line, ms }) => ({ ...line, moment: { ms, hasYear: line.moment.hasYear } }));
}

function inYear(ms: number, year: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(year);
}

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Formats a duration: `1 h 4 min 26 s`; below a minute with milliseconds. */
export function showDuration(ms: number): string {
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(3))} s`;
  let rest = Math.round(ms / 1000) * 1000;
  const parts = units.map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count} ${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
