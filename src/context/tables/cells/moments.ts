import { type DayOrder, type Period, readDay } from './days.ts';

const clock = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?: ?(?:Z|UTC))?$/;

/** Reads a cell as a time of day, on 1 January 1970; null for anything else. */
export function readClock(text: string): Period | null {
  const [, hours, minutes, seconds] = text.length > 12 ? [] : (clock.exec(text) ?? []);
  if (hours === undefined || Number(hours) > 23) return null;
  const startMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000;
  return { startMs, endMs: startMs + (seconds === undefined ? 60_000 : 1000) };
}

/** Reads a cell of a column of days or of times of a day. */
export const readPeriod = (
  cell: string,
  { kind, dayOrder }: { readonly kind: string; readonly dayOrder: DayOrder | null },
): Period | null => (kind === 'clock' ? readClock(cell) : readDay(cell, dayOrder));
