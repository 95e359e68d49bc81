import { recordLines } from '../records/reader.ts';
import type { PlannedTable } from './plan-tables.ts';

/** Whether each of some texts in lower case stands in a line of a table's documents, or in a name of it, in any case. */
export function holdsAll({ name, parts }: PlannedTable, texts: readonly string[], names: readonly string[]): boolean {
  const named = JSON.stringify([name, names, parts.map(({ records: { about, columns } }) => [about, columns])]);
  const missing = new Set(texts.filter((text) => !named.toLowerCase().includes(text)));
  for (const { document } of parts)
    for (const line of missing.size > 0 ? recordLines(document) : []) {
      const lower = line.text.toLowerCase();
      for (const text of missing) if (lower.includes(text)) missing.delete(text);
      if (missing.size === 0) return true;
    }
  return missing.size === 0;
}
