import { type RecordDocument, recordLines } from '../records/reader.ts';
import type { PlannedTable } from './plan-tables.ts';

/** Returns the lower-case texts that occur in a document. Ignores the case of the document. */
function heldBy(document: RecordDocument, texts: readonly string[]): ReadonlySet<string> {
  const held = new Set<string>();
  for (const line of recordLines(document)) {
    const lower = line.text.toLowerCase();
    for (const text of texts) if (lower.includes(text)) held.add(text);
    if (held.size === texts.length) break;
  }
  return held;
}

/**
 * Returns the tables whose names or documents contain all of the lower-case `texts`. Ignores case.
 * Searches each document once, which is much cheaper than filling its tables.
 * @param namesOf returns further names of a table and its columns that are not in the text.
 */
export function tablesHolding(
  planned: readonly PlannedTable[],
  texts: readonly string[],
  namesOf: (table: PlannedTable) => readonly string[],
): readonly PlannedTable[] {
  if (texts.length === 0) return planned;
  const documents = planned.flatMap(({ parts }) => parts.map(({ document }) => document));
  const held = new Map([...new Set(documents)].map((document) => [document, heldBy(document, texts)]));
  return planned.filter((table) => {
    const { name, parts } = table;
    const columns = parts.map(({ records }) => [records.about, records.columns]);
    const named = JSON.stringify([name, namesOf(table), columns]).toLowerCase();
    return texts.every((text) => named.includes(text) || parts.some(({ document }) => held.get(document)!.has(text)));
  });
}

/**
 * Whether a line of a Markdown document, outside tables and headings, contains a digit and all of the lower-case
 * `texts`. Ignores case. Such a line may state a number that the table lacks, because the table may be an extract.
 */
export const isToldBeside = ({ parts }: PlannedTable, texts: readonly string[]): boolean =>
  parts.some(({ document }) => {
    if (document.kind !== 'Markdown') return false;
    for (const { text } of recordLines(document)) {
      const lower = text.toLowerCase();
      if (/^[^|#].*\d|^\d/.test(text.trim()) && texts.every((one) => lower.includes(one))) return true;
    }
    return false;
  });
