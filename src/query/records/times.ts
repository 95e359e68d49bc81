/** Reads times. The format of the previous time is tried first. */
export type TimeReader = ReturnType<typeof createTimeReader>;

/** The assumed year of the first time that lacks a year. It is a leap year that no text names. */
const unknownYear = 0;
const leapYears = 4;
/** A step back of at least this many months means that the next year begins. */
const yearStep = 6;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = `(?<month>${months.join('|')})`;
const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)`;
const second = String.raw`:(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?`;
const zone = String.raw`(?: ?(?<zone>Z|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?(?!\d))?|[+-]\d\d:?\d\d(?!\d)|(?<=:\d\d:\d\d(?:[.,]\d+)?)[+-]\d\d(?![\d:])))?`;
const half = String.raw`(?:\s?(?<half>[ap])\.?m\b\.?)?`;
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun),? {1,2})?';

const forms = [
  // ISO 8601, and `2026-03-17 13:42:26,123 UTC`
  `(?<year>\\d{4})[-/.](?<number>\\d\\d)[-/.](?<day>\\d\\d)(?:[T_]|,? {1,2})${clock}(?:${second})?${half}${zone}`,
  // Access logs: `17/Mar/2026:13:42:26 +0000`
  `(?<day>\\d\\d)/${month}/(?<year>\\d{4}):${clock}${second}${zone}`,
  // Syslog and asctime: `Mar 17 13:42:26`, `Tue Mar 17 13:42:26.103 2026`
  `${weekday}${month} {1,2}(?<day>\\d{1,2}) ${clock}${second}(?: (?<year>\\d{4})(?!\\d))?`,
  // Mail: `Tue, 17 Mar 2026 13:42:26 +0100`
  `${weekday}(?<day>\\d{1,2}) ${month} (?<year>\\d{4}),? ${clock}(?:${second})?${half}${zone}`,
  // Messengers: `17/03/2026, 13:42`, `17.03.26 13:42:26`; with AM or PM the month is first
  `(?<first>\\d{1,2})[/.](?<next>\\d{1,2})[/.](?<year>\\d{4}|\\d\\d),? ${clock}(?:${second})?${half}`,
  // Android: `03-17 13:42:26.103`
  `(?<number>\\d\\d)-(?<day>\\d\\d) ${clock}${second}`,
  // Compact: `20260317T134226Z`
  `(?<year>\\d{4})(?<number>\\d\\d)(?<day>\\d\\d)T(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)(?<fraction>)(?<zone>Z)?`,
].map((form) => new RegExp(`[[(<"']{0,2}(${form})[\\])>"']{0,2}`, 'iy'));

/** Offsets of named zones. `?` marks a name that is ambiguous or also a word: times with this name are read as UTC. */
const namedZones: ReadonlyMap<string, string> = new Map(
  `UTC+0000 GMT+0000 CET+0100 CEST+0200 EET+0200 EEST+0300 MSK+0300 EST-0500 EDT-0400 CDT-0500 MST-0700
  MDT-0600 PST-0800 PDT-0700 AKST-0900 AKDT-0800 HST-1000 JST+0900 KST+0900 SGT+0800 HKT+0800 AEST+1000 AEDT+1100
  NZST+1200 NZDT+1300 SAST+0200 AST? BST? CST? IST? MET? MEST? WET? WEST? BRT? ART?`
    .split(/\s+/)
    .map((zone) => [zone.replace(/\W.*/, ''), zone.replace(/^[A-Z]+/, '')]),
);
/** Names of zones that are also words in capitals, as in `12:00:00 MET office`. They are left in the text. */
const areWords: readonly string[] = ['MET', 'WET', 'WEST', 'ART'];
/** A zone after a time (`CET`, `(CET)`, `[+01:00]`, `Europe/Berlin`), and the year that the command `date` adds. */
const zoneName =
  /( ?[([]?([A-Z]{3,4}\b|[+-]\d\d:?\d\d(?=[)\]])|[A-Z][a-z]+(?:\/[A-Z]\w+)+)(?: (\d{4})(?!\d))?)[\])>"']{0,2}/y;

const minuteParts = ['minute', 'hour', 'day', 'month', 'number', 'year', 'first', 'next', 'half', 'zone'] as const;
type Parts = { readonly [name in (typeof minuteParts)[number] | 'second' | 'fraction']?: string | undefined };

const mostMinutes = 14 * 60;

/** Returns the offset of `+02:00`, `-0530` or `UTC+3` in minutes; 0 for other texts. */
function offsetMinutes(zoneText: string | undefined): number {
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?([+-])(\d{1,2}?):?(\d\d)?$/i.exec(zoneText ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Returns a zone in SQLite's notation. */
function plainZone(zoneText = ''): string {
  if (zoneText === '' || zoneText === '?') return zoneText;
  const minutes = offsetMinutes(zoneText);
  const two = (part: number) => String(Math.abs(Math.trunc(part))).padStart(2, '0');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function dayAndMonth({ month: name, number, day, first, next, half }: Parts): readonly [day: number, month: number] {
  if (name !== undefined) return [Number(day), months.indexOf(name.toLowerCase()) + 1];
  if (number !== undefined) return [Number(day), Number(number)];
  const isMonthFirst = half !== undefined || Number(next) > 12;
  return isMonthFirst ? [Number(next), Number(first)] : [Number(first), Number(next)];
}

function hourOf({ hour, half }: Parts): number {
  return half === undefined || Number(hour) > 12 ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
}

/** Returns the minute in UTC as `2026-03-17T13:42`; null for a date or time that does not exist. */
function minuteOf(parts: Parts, year: number): string | null {
  const [day, monthNumber] = dayAndMonth(parts);
  const [hour, minute] = [hourOf(parts), Number(parts.minute)];
  const offset = offsetMinutes(parts.zone);
  if (monthNumber < 1 || monthNumber > 12 || day < 1 || hour > 23 || minute > 59) return null;
  if (Math.abs(offset) > mostMinutes) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, monthNumber - 1, day);
  if (midnight.getUTCDate() !== day) return null;
  const ms = midnight.getTime() + (hour * 60 + minute - offset) * 60_000;
  return new Date(ms).toISOString().slice(0, 16);
}

/** Adds years to times without a year. */
function createYears(first: number | null, areAlone: boolean) {
  let lastMonth: number | null = null;
  let later = 0;
  return {
    areUsed: (): boolean => lastMonth !== null,
    of(parts: Parts): number {
      const [day, monthNumber] = dayAndMonth(parts);
      if (areAlone || monthNumber < 1 || monthNumber > 12) return unknownYear;
      const step = monthNumber - (lastMonth ?? monthNumber);
      if (step <= -yearStep) later++;
      else if (step >= yearStep && later > 0) later--; // This line is late; its time belongs to the previous year.
      if (first === null && monthNumber === 2 && day === 29) later = Math.ceil(later / leapYears) * leapYears;
      lastMonth = monthNumber;
      return (first ?? unknownYear) + later;
    },
  };
}

/**
 * @param year the year of the first time that lacks a year; null if unknown.
 * @param areAlone whether each time is read by itself. If so, a time that lacks a year gets the year 0.
 */
export function createTimeReader(year: number | null, areAlone = false) {
  const years = createYears(year, areAlone);
  let known: { readonly parts: Parts; readonly minute: string | null } | null = null;
  let last = 0;
  const formats = new Map<number, string>();
  const zones = new Set<string>();

  /** Converts each minute only once, because consecutive lines often have the same minute. */
  function knownMinute(parts: Parts): string | null {
    for (const part of minuteParts)
      if (parts[part] !== known?.parts[part]) {
        const { year: written } = parts;
        const full = written === undefined ? years.of(parts) : (written.length === 2 ? 2000 : 0) + Number(written);
        known = { parts, minute: minuteOf(parts, full) };
        const isOpen = parts.first !== parts.next && Number(parts.first) <= 12 && Number(parts.next) <= 12;
        if (known.minute !== null) zones.add(isOpen ? '?' : plainZone(parts.zone));
      }
    return known!.minute;
  }

  function readAs(form: number, text: string) {
    const pattern = forms[form]!;
    pattern.lastIndex = 0;
    const found = pattern.exec(text);
    if (found === null) return null;
    zoneName.lastIndex = pattern.lastIndex;
    const [named = '', zoneText = '', name = '', year] = zoneName.exec(text) ?? [];
    const groups = found.groups as Parts;
    const isOffset = /^[+-]/.test(name);
    const ofName = isOffset ? name : name.includes('/') ? '?' : namedZones.get(name);
    const offset = groups.zone === undefined ? ofName : undefined;
    const parts = offset === undefined ? groups : { ...groups, year: groups.year ?? year, zone: offset };
    const isZoned = offset !== undefined && !areWords.includes(name);
    const minute = knownMinute(parts);
    if (minute === null) return null;
    const seconds = (parts.second ?? '00').padStart(2, '0');
    const fraction = (parts.fraction ?? '').slice(0, 3).padEnd(3, '0');
    const time = `${minute}:${seconds}.${fraction}Z`;
    const end = pattern.lastIndex + (isZoned ? named.length : 0);
    return { time, text: found[1]! + (isZoned ? zoneText : ''), end };
  }

  return {
    /**
     * Reads the time at the start of a text. The time may be in brackets or quotes. Returns `time` in UTC
     * (`2026-03-17T13:42:26.000Z`), `text` (the time as written) and `end` (the offset of its end); null if the text
     * does not begin with a time.
     */
    read(text: string) {
      const again = formats.has(last) ? readAs(last, text) : null;
      if (again !== null) return again;
      for (let form = 0; form < forms.length; form++) {
        const found = form === last && formats.has(form) ? null : readAs(form, text);
        if (found === null) continue;
        last = form;
        formats.set(form, formats.get(form) ?? found.text);
        return found;
      }
      return null;
    },
    /** Whether a time without a year was read. Always false if `areAlone` is true. */
    lacksYear: years.areUsed,
    /** The first time that was read in each format, as written. */
    formats: formats as ReadonlyMap<number, string>,
    /** The zones that were read: `Z`, `+02:00`, '' for times without a zone, `?` for an ambiguous zone or date. */
    zones: zones as ReadonlySet<string>,
  };
}

/** Converts seconds, ms, µs or ns since 1970 to UTC text; null for a number of another magnitude. */
export function timeOfEpoch(value: number): string | null {
  const size = [1e-3, 1, 1e3, 1e6].find((each) => value / each >= 1e11 && value / each < 1e13);
  return size === undefined ? null : new Date(value / size).toISOString();
}

/** Returns SQL that converts UTC times back to the zone they were written in; null for several or ambiguous zones. */
export function writtenSql(sql: string, zones: ReadonlySet<string>): string | null {
  const [zone = 'Z', ...more] = zones;
  if (more.length > 0 || zone === '?') return null;
  return zone === '' || zone === 'Z' ? sql : `strftime('%Y-%m-%dT%H:%M:%f${zone}', ${sql}, '${zone}')`;
}
