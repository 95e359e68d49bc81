/** A value in a sentence, with its position. */
export interface FoundValue {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** Reads the values of one kind from a sentence, in order. */
export type ReadValues = (text: string) => readonly FoundValue[];

const monthNames = 'january february march april may june july august september october november december'.split(' ');
const month = `(?<month>${monthNames.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?`;
const dates: readonly RegExp[] = [
  /(?<![\d-])(?<year>\d{4})-(?<number>\d\d)-(?<day>\d\d)(?!\d)/g,
  new RegExp(`(?<![\\p{L}\\d])(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month},? (?<year>\\d{4})(?!\\d)`, 'giu'),
  new RegExp(`(?<!\\p{L})${month} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?!\\d)`, 'giu'),
];

const twoDigits = (part: string) => part.padStart(2, '0');

function isoDate({ year, number, month: name, day }: Record<string, string | undefined>): string {
  const named = monthNames.findIndex((one) => one.startsWith(name?.slice(0, 3).toLowerCase() ?? '-')) + 1;
  return `${year}-${number ?? twoDigits(String(named))}-${twoDigits(day!)}`;
}

const inOrder = (found: readonly FoundValue[]) => found.toSorted((one, other) => one.start - other.start);

const each = (text: string, pattern: RegExp, read: (match: RegExpExecArray) => unknown): FoundValue[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = read(match);
    return value === null ? [] : [{ value, start: match.index, end: match.index + match[0].length }];
  });

/** Reads calendar days as `2026-05-01`. */
export const readDates: ReadValues = (text) =>
  inOrder(dates.flatMap((pattern) => each(text, pattern, ({ groups }) => isoDate(groups!))));

const timestamp = /(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?/g;

/** Reads points in time as `2026-05-01T10:00:00Z`; seconds and zone only where given. */
export const readTimestamps: ReadValues = (text) =>
  each(text, timestamp, ([found]) => {
    const [day, time] = [found.slice(0, 10), found.slice(11)];
    const [, clock, zone] = /^(.*?)(Z|[+-]\d\d:\d\d)?$/.exec(time)!;
    return `${day}T${clock!.length === 5 ? `${clock}:00` : clock}${zone ?? 'Z'}`;
  });

const numbers =
  /(?<![\p{L}\p{N}_]|[\p{L}\p{N}][-./_:])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_]|[.:/-]\d|,\d{3})(?!\p{L}{4,}\d)/gu;

/** Reads numbers that are not part of a date, a version, a time of day or a name. */
export const readNumbers: ReadValues = (text) => {
  const taken = [...readDates(text), ...readTimestamps(text)];
  return each(text, numbers, ([found]) => Number(found.replaceAll(',', ''))).filter(
    ({ start }) => !taken.some((date) => date.start <= start && start < date.end),
  );
};

export const readIntegers: ReadValues = (text) =>
  readNumbers(text).filter(({ value }) => Number.isSafeInteger(value as number));

const quoted = /"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g;

/** Reads words in quotation marks or backticks. */
export const readQuoted: ReadValues = (text) => each(text, quoted, (match) => match.slice(1).find(Boolean) ?? null);

const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]*(?: (?:(?:of|de|van|von|the) )?\p{Lu}[\p{L}\p{N}'’-]*){0,4}/gu;
const opening = new Set(
  'the a an it he she they we i this that these those in on at by for from with of and but or if when while as no not there our his her their its after before since until all each every then'.split(
    ' ',
  ),
);

const levels = /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)$/;

/** Reads names: consecutive capitalised words, without a common word that begins the sentence. */
export const readNames: ReadValues = (text) =>
  each(text, name, ([found]) => {
    const words = found.split(' ');
    const kept = opening.has(words[0]!.toLowerCase()) ? words.slice(1) : words;
    if (kept.every((word) => levels.test(word))) return null;
    return kept.length === 0 || (kept.length === 1 && kept[0]!.length < 2) ? null : kept.join(' ');
  });

const truths: readonly (readonly [boolean, RegExp])[] = [
  [true, /\b(?:true|yes|enabled|on)\b/i],
  [false, /\b(?:false|no|disabled|off)\b/i],
];

/** Reads whether something is on or off; nothing where words say both. */
export const readTruth: ReadValues = (text) => {
  const found = truths.flatMap(([value, pattern]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ value, start: match.index, end: match.index + match[0].length }];
  });
  return found.length === 1 ? found : [];
};

/** Creates the reader of an enumeration's options that a text contains as words. */
export function readOptions(options: readonly unknown[]): ReadValues {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const known = options.filter((option) => typeof option === 'string' && words(option) !== '');
  return (text) => {
    const within = ` ${words(text)} `;
    return inOrder(
      known.flatMap((value) => {
        const start = within.indexOf(` ${words(value as string)} `);
        return start < 0 ? [] : [{ value, start, end: start + String(value).length }];
      }),
    );
  };
}
