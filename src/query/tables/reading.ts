import type { Reading } from '../records/reader.ts';
import { createTimeReader, type TimeReader } from '../records/times.ts';
import { linesName, type PlannedTable } from './plan-tables.ts';

const fullDate = /(?<![\d.])((?:19|20)\d\d)-\d\d-\d\d(?!\d)/;
const lookedAtLines = 100;

/** Returns the year that the first lines of the documents name; null where none is named. */
function yearOf(planned: readonly PlannedTable[]): number | null {
  for (const { name, parts } of planned) {
    if (name === linesName) continue;
    for (const { document } of parts) {
      const lines = document.head.slice(0, lookedAtLines);
      const year = lines.map((line) => fullDate.exec(line)?.[1]).find((found) => found !== undefined);
      if (year !== undefined) return Number(year);
    }
  }
  return null;
}

/** Tells that times are written in several formats; nothing where there is one. */
const formatNotes = (formats: ReadonlyMap<number, string>): string[] =>
  formats.size < 2
    ? []
    : [
        `the text writes times in ${formats.size} formats (${[...formats.values()].join('; ')}); the column time has all in UTC`,
      ];

/** A reading, and what was noticed during it. */
export interface NotedReading extends Reading {
  notes(): readonly string[];
}

/**
 * Creates the reading of tables. Times without a year get the year that the documents name.
 * @param wants whether a column is needed.
 */
export function createReading(planned: readonly PlannedTable[], wants: Reading['wants']): NotedReading {
  const year = yearOf(planned);
  const readers: TimeReader[] = [];
  return {
    wants,
    times() {
      const reader = createTimeReader(year);
      readers.push(reader);
      return reader;
    },
    notes: () => [
      ...(readers.some((reader) => reader.lacksYear())
        ? ['times without a year are in the year 2000, since no document names the year']
        : []),
      ...formatNotes(new Map(readers.flatMap((reader) => [...reader.formats()]))),
    ],
  };
}
