import { literal } from '../sql.ts';

/** A comparison of a number or a time. */
export type Comparison = '>' | '>=' | '<' | '<=' | '=';

/** A period, which is compared with a part of ISO 8601 times. */
export interface Moment {
  /** The position of the part's first character, counted from 1. */
  readonly from: number;
  /** The text that the part is compared with. */
  readonly text: string;
}

export const yearStart = 1;
export const monthStart = 6;
export const clockStart = 12;

/** Returns the SQL condition that a time is in, before or after a period. */
export function momentSql(column: string, { from, text }: Moment, is: Comparison): string {
  if (is === '=') return `substr(${column}, ${from}, ${text.length}) = ${literal(text)}`;
  if (from === clockStart) return `substr(${column}, ${from}, 8) ${is} ${literal(text.padEnd(8, ':00'))}`;
  const isWhole = from === yearStart && (is === '<' || is === '>=');
  return `${isWhole ? column : `substr(${column}, ${from}, ${text.length})`} ${is} ${literal(text)}`;
}

export const isClock = ({ from }: Moment): boolean => from === clockStart;
/** Whether a period is a whole day. */
export const isDay = ({ from, text }: Moment): boolean => from + text.length === clockStart - 1;

/**
 * Whether a time is before another time in the same notation. False for 23:00 and 01:00, because 01:00 then belongs to
 * the next day.
 */
export const isBefore = (from: Moment, to: Moment): boolean =>
  from.text.length === to.text.length && from.text < to.text;
