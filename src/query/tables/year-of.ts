import { linesName, type PlannedTable } from './plan-tables.ts';

const fullDate = /(?<![\d.])((?:19|20)\d\d)-\d\d-\d\d(?!\d)/;

/** Returns the year that the first lines of the documents name, for times that lack one; null where none is named. */
export function yearOf(planned: readonly PlannedTable[]): number | null {
  for (const { name, parts } of planned) {
    if (name === linesName) continue;
    for (const { document } of parts) {
      const year = document.head
        .slice(0, 100)
        .map((line) => fullDate.exec(line)?.[1])
        .find((found) => found !== undefined);
      if (year !== undefined) return Number(year);
    }
  }
  return null;
}
