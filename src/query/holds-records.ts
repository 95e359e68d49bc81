import type { TextSource } from '../context/shown-text.ts';
import { linesName, planTables } from './tables/plan-tables.ts';

const mostDocuments = 200;
const mostBytes = 32 * 1024;
/** Tables of texts that have no records. */
const ofAnyText: readonly string[] = [linesName, 'headings'];

/** Whether a text has tables that are worth a query, judged by the names and first bytes of the first documents. */
export function holdsRecords({ documents, read }: TextSource): boolean {
  const heads = documents.slice(0, mostDocuments).map((one) => ({ ...one, bytes: Math.min(one.bytes, mostBytes) }));
  return planTables({ documents: heads, read }).some(({ name }) => !ofAnyText.includes(name));
}
