import { literal } from '../sql.ts';

/** How a number is compared. */
export type Comparison = '>' | '>=' | '<' | '<=' | '=';

/** A stretch of time, to compare with a part of times that are written as ISO 8601. */
export interface Moment {
  /** First character of the part, from 1, and the text that it is compared with. */
  readonly from: number;
  readonly text: string;
}

export const yearStart = 1;
export const monthStart = 6;
export const clockStart = 12;

/** Returns the condition of SQL that a time is in, before or after a stretch of time. */
export function momentSql(column: string, { from, text }: Moment, is: Comparison): string {
  if (is === '=') return `substr(${column}, ${from}, ${text.length}) = ${literal(text)}`;
  if (from === clockStart) return `substr(${column}, ${from}, 8) ${is} ${literal(text.padEnd(8, ':00'))}`;
  const isWhole = from === yearStart && (is === '<' || is === '>=');
  return `${isWhole ? column : `substr(${column}, ${from}, ${text.length})`} ${is} ${literal(text)}`;
}

export const isClock = ({ from }: Moment): boolean => from === clockStart;
/** Whether it is a whole day. */
export const isDay = ({ from, text }: Moment): boolean => from + text.length === clockStart - 1;

/** Whether a time is before one that is written alike: 23:00 and 01:00 are of two days. */
export const isBefore = (from: Moment, to: Moment): boolean =>
  from.text.length === to.text.length && from.text < to.text;
