import type { Period } from './cells/days.ts';
import { readPeriod } from './cells/moments.ts';
import { partsOf } from './cells/names.ts';
import { isMoment, type Profile, type TableColumn } from './profile.ts';
import { timed } from './question/measures.ts';
import type { Table } from './rows/recognise.ts';
import { type AnyRow, isBroken } from './rows/row.ts';

const dayMs = 86_400_000;
const begins = /^(?:start|started|begin|began|begun|begins|opened|open|departed|departure|created|entered)$/;
const ends = /^(?:finish|finished|end|ended|ends|stop|stopped|completed|closed|resolved|arrived|arrival|left)$/;
/** Matches questions about how long things took. */
const asksLength =
  /\b(?:longest|shortest|slowest|fastest|quickest|duration|(?:took|take|takes|lasted) (?:the )?(?:most|least))\b/i;

/** Returns the only column of times with a matching name; null where there are several, or none. */
function onlyCalled(columns: readonly TableColumn[], name: RegExp): TableColumn | null {
  const found = columns.filter((column) => isMoment(column) && partsOf(column.name).some((part) => name.test(part)));
  return found.length === 1 ? found[0]! : null;
}

/**
 * Returns the time between two cells: in days where both are days without a time, else in seconds. Times of day may
 * pass midnight.
 */
function between(from: Period, to: Period, isClock: boolean): string | null {
  const ms = to.startMs - from.startMs + (isClock && to.startMs < from.startMs ? dayMs : 0);
  if (ms < 0) return null;
  const areDays = [from, to].every(({ startMs, endMs }) => endMs - startMs === dayMs);
  return areDays ? `${ms / dayMs} days` : `${ms / 1000} s`;
}

function lasting(cells: readonly (string | null)[], from: TableColumn, to: TableColumn): string | null {
  const [start, end] = [from, to].map((column) => {
    const cell = cells[column.index] ?? null;
    return cell === null ? null : readPeriod(cell, column);
  });
  return start && end ? between(start, end, from.kind === 'clock') : null;
}

/**
 * Adds a column with the duration of each row, where a question asks for it and the table has only start and end
 * times; null otherwise.
 */
export function withDurations(question: string, profile: Profile): Table | null {
  const { table, columns } = profile;
  if (!asksLength.test(question) || timed(profile).length > 0) return null;
  const [from, to] = [onlyCalled(columns, begins), onlyCalled(columns, ends)];
  if (from === null || to === null || from.kind !== to.kind || from === to) return null;
  const names = [...table.columns, `duration from ${from.name} to ${to.name}`];
  const added = names.length - 1;
  function* rows(wanted?: ReadonlySet<number>): Generator<AnyRow> {
    const all = wanted?.has(added) ? new Set([...wanted, from!.index, to!.index]) : wanted;
    for (const row of table.rows(all)) {
      if (isBroken(row)) yield row;
      else
        yield {
          ...row,
          cells: names.map((_, at) => (at === added ? lasting(row.cells, from!, to!) : (row.cells[at] ?? null))),
        };
    }
  }
  return { ...table, columns: names, rows };
}
