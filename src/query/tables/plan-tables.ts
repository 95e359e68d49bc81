import type { TextSource } from '../../context/shown-text.ts';
import type { Column } from '../query-result.ts';
import { recordsOf } from '../records/index.ts';
import {
  columnsNamed,
  openRecordDocument,
  type RecordDocument,
  type RecordTable,
  recordLines,
} from '../records/reader.ts';
import { isKeyword } from '../sql.ts';

/** Every line of a document. */
const linesTable = (document: RecordDocument): RecordTable => ({
  table: 'lines',
  columns: columnsNamed('text'),
  *rows() {
    for (const { line, text } of recordLines(document)) yield { line, values: [text] };
  },
});

/** Records of one document in a table. */
export interface TablePart {
  readonly document: RecordDocument;
  readonly records: RecordTable;
}

/** A table of SQL: records of one document, or of all documents of one format. */
export interface PlannedTable {
  readonly name: string;
  readonly parts: TablePart[];
}

/** The table of every line. */
export const linesName = 'lines';

/** Makes a name of SQL from the name of a document: `logs/2024-orders.csv` becomes `t_2024_orders`. */
function stemOf(name: string): string {
  const base = name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/(?<=.)\.(?:csv|tsv|jsonl?|ndjson|md|markdown|txt|html?|log)$/i, '');
  const plain = base.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '') || 'table';
  const named = /^\d/.test(plain) ? `t_${plain}` : plain;
  return isKeyword(named) ? `${named}_` : named;
}

const folderOf = (name: string): string => name.split('/').at(-2) ?? '';

/** Names that a table of a document may have, the best first. */
function* namesFor({ name }: RecordDocument, place: number | null): Generator<string> {
  const end = place === null ? '' : `_${place}`;
  const stem = stemOf(name);
  yield stem + end;
  const folder = folderOf(name);
  if (folder !== '') yield `${stemOf(folder)}_${stem}${end}`;
  for (let number = 2; ; number++) yield `${stem}${end}_${number}`;
}

const namesOf = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name }) => name));

/** Collects tables by their names. Documents with the same name and columns share a table. */
function createPlan() {
  const tables = new Map<string, PlannedTable & { readonly isShared: boolean }>();

  function addTo(name: string, isShared: boolean, part: TablePart): void {
    const key = name.toLowerCase();
    const known = tables.get(key);
    if (known === undefined) tables.set(key, { name, isShared, parts: [part] });
    else known.parts.push(part);
  }

  function mayTake(name: string, { records }: TablePart): boolean {
    const known = tables.get(name.toLowerCase());
    if (known === undefined) return true;
    return !known.isShared && namesOf(known.parts[0]!.records.columns) === namesOf(records.columns);
  }

  function addOwn(part: TablePart, place: number | null): void {
    for (const name of namesFor(part.document, place)) {
      if (!mayTake(name, part)) continue;
      addTo(name, false, part);
      return;
    }
  }
  return { tables, addTo, addOwn };
}

/**
 * Finds the tables of all documents, without reading their rows. Tables that many documents share come first.
 */
export function planTables(source: TextSource): readonly PlannedTable[] {
  const { tables, addTo, addOwn } = createPlan();
  const documents = source.documents.map((_, index) => openRecordDocument(source, index));
  const parts = documents.flatMap((document) =>
    recordsOf(document).map((records): TablePart => ({ document, records })),
  );
  for (const document of documents) addTo(linesName, true, { document, records: linesTable(document) });
  for (const part of parts) if (part.records.table !== null) addTo(part.records.table, true, part);
  const own = parts.filter(({ records }) => records.table === null);
  for (const part of own) {
    const siblings = own.filter(({ document }) => document === part.document);
    addOwn(part, siblings.length > 1 ? siblings.indexOf(part) + 1 : null);
  }
  return [...tables.values()];
}
