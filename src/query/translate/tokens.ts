/** Splits a question into words, and reads its numbers and times. */
import { clockStart, isClock, isDay, type Moment, monthStart, yearStart } from '../tables/moment.ts';

export interface QuestionToken {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
}

export type Words = readonly QuestionToken[];

const pattern =
  /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|[€$£](?=\d)|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|[^\s,;?!()"“”`]+|%/gu;

export function questionTokensOf(question: string): QuestionToken[] {
  return [...question.matchAll(pattern)].flatMap((found): QuestionToken[] => {
    const quoted = found.slice(1).find((text) => text !== undefined);
    const [start, end] = [found.index, found.index + found[0].length];
    if (quoted !== undefined) return [{ text: quoted, isQuoted: true, start, end }];
    const word = found[0].replace(/['’]s$/, '').replace(/[.:'’-]+$/, '');
    const [, number, unit] = /^(\d+(?:\.\d+)?)([a-z%]+)$/i.exec(word) ?? [];
    const token = (text: string, at: number) => ({ text, isQuoted: false, start: at, end: at + text.length });
    if (word === '') return [];
    if (number === undefined || unit === undefined || /\d/.test(unit)) return [token(word, start)];
    return [token(number, start), token(unit, start + number.length)];
  });
}

/** Reads a number as people write it: `1,500`. Null for other words, and for `1.500`, which may mean 1,500. */
export const numberOf = ({ text, isQuoted }: QuestionToken): number | null =>
  !isQuoted && /^-?\d{1,3}(?:,\d{3}){1,33}(?:\.\d+)?$|^-?(?![1-9]\d{0,2}\.\d{3}$)\d{1,99}(?:\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : null;

const months = 'january february march april may june july august september october november december'.split(' ');
const monthOf = (text = ''): string | null =>
  months.includes(text.toLowerCase()) ? String(months.indexOf(text.toLowerCase()) + 1).padStart(2, '0') : null;
export const isYear = (text: string | undefined): text is string => text !== undefined && /^(?:19|20)\d\d$/.test(text);
const dayOf = (text: string | undefined): string | null => {
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(text ?? '') ?? [];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? day.padStart(2, '0') : null;
};

/** Reads a time that begins at a word, such as `June 2 at 14:00` or `14:00 on June 2`; null if none begins there. */
export const momentAt = (tokens: Words, at: number) => momentsAt(tokens, at)[0] ?? null;

/** Returns the readings of a time: in "after 14:00 on June 2", the day may be part of it, or a condition of its own. */
export function momentsAt(tokens: Words, at: number) {
  const read = plainMomentAt(tokens, at);
  if (read === null) return [];
  const words = read.words + (/^(?:at|on)$/i.test(tokens[at + read.words]?.text ?? '') ? 1 : 0);
  const next = plainMomentAt(tokens, at + words);
  const [day, clock] = isDay(read.moment) ? [read, next] : [next, read];
  if (day === null || clock === null || !isDay(day.moment) || !isClock(clock.moment)) return [read];
  const text = `${day.moment.text}T${clock.moment.text}`;
  return [{ moment: { ...day.moment, text }, words: words + next!.words }, ...(read === clock ? [read] : [])];
}

function plainMomentAt(tokens: Words, at: number) {
  const [first, second, third] = tokens.slice(at, at + 3).map(({ text, isQuoted }) => (isQuoted ? '' : text));
  if (first === undefined) return null;
  const made = (words: number, from: number, text: string) => ({ moment: { from, text } satisfies Moment, words });
  if (/^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?)?)?$/.test(first)) return made(1, yearStart, first);
  if (/^\d\d:\d\d(?::\d\d)?$/.test(first)) return made(1, clockStart, first);
  if (isYear(first)) return made(1, yearStart, first);
  // "May" may be a verb or a person.
  const isOpen = /^may$/i.test(first) && !/^(?:in|during|since|after|before)$/i.test(tokens[at - 1]?.text ?? '');
  const month = isOpen && !isYear(second) && dayOf(second) === null ? null : monthOf(first);
  if (month !== null) {
    const day = dayOf(second);
    if (day !== null)
      return isYear(third) ? made(3, yearStart, `${third}-${month}-${day}`) : made(2, monthStart, `${month}-${day}`);
    return isYear(second) ? made(2, yearStart, `${second}-${month}`) : made(1, monthStart, month);
  }
  const [day, next] = [dayOf(first), monthOf(second)];
  if (day === null || next === null) return null;
  return isYear(third) ? made(3, yearStart, `${third}-${next}-${day}`) : made(2, monthStart, `${next}-${day}`);
}
