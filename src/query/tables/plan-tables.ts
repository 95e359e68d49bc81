import { listed } from '../../base/text.ts';
import { documentKindOf, isPlainKind, unpackedName } from '../../context/chunkers/languages.ts';
import type { TextSource } from '../../context/shown-text.ts';
import type { Column } from '../query-result.ts';
import { recordsOf } from '../records/index.ts';
import {
  columnsNamed,
  openRecordDocument,
  type ReadRows,
  type RecordDocument,
  type RecordTable,
  recordLines,
  tableOf,
} from '../records/reader.ts';
import { isKeyword } from '../sql.ts';
import { wordsIn } from './column-names.ts';

export const linesName = 'lines';

const lineRows: ReadRows = function* (document) {
  for (const { line, text } of recordLines(document)) yield { line, values: [text] };
};

export interface TablePart {
  readonly document: RecordDocument;
  readonly records: RecordTable;
}

/** An SQL table: the records of one document, of all documents in one format, or of documents with the same columns. */
export interface PlannedTable {
  readonly name: string;
  readonly parts: TablePart[];
}

export const tableBytes = (tables: readonly PlannedTable[]): number =>
  [...new Set(tables.flatMap(({ parts }) => parts.map(({ document }) => document)))].reduce(
    (sum, { bytes }) => sum + bytes,
    0,
  );

const mostNamed = 3;

/**
 * Returns a note that names the documents without rows in a shared table, such as a mail beside a mailbox. Names only
 * documents whose extension does not tell the form of the text, such as `.txt` or `.log`.
 */
export function othersNote({ name, parts }: PlannedTable): string[] {
  const { source } = parts[0]!.document;
  const read = new Set(parts.map(({ document }) => document.index));
  const others = source.documents.flatMap((one, index) =>
    read.has(index) || !isPlainKind(documentKindOf(one.name)) ? [] : [one.name],
  );
  if (others.length === 0 || parts[0]!.records.table === null) return [];
  return [`${name} lacks rows of ${listed(others.slice(0, mostNamed), others.length - mostNamed, 'document')}`];
}

/** Makes a table name from a document's name: `logs/2024-orders.csv` becomes `t_2024_orders`. */
function stemOf(name: string): string {
  const base = unpackedName(name)
    .slice(name.lastIndexOf('/') + 1)
    .replace(/(?<=.)\.(?:csv|tsv|jsonl?|ndjson|md|markdown|txt|html?|log)$/i, '');
  const plain = base.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '') || 'table';
  // SQLite reserves names that begin with `sqlite_`.
  const named = /^(?:\d|sqlite_)/i.test(plain) ? `t_${plain}` : plain;
  return isKeyword(named) ? `${named}_` : named;
}

function* namesFor({ name }: RecordDocument, place: number | null): Generator<string> {
  const end = place === null ? '' : `_${place}`;
  const stem = stemOf(name);
  yield stem + end;
  const folder = name.split('/').at(-2) ?? '';
  if (folder !== '') yield `${stemOf(folder)}_${stem}${end}`;
  for (let number = 2; ; number++) yield `${stem}${end}_${number}`;
}

const namesOf = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name }) => name));

/** Whether the document of a table has another table with the same first column: a question may mean either. */
export const hasSibling = ({ name, parts: [part] }: PlannedTable, planned: readonly PlannedTable[]): boolean =>
  planned.some(
    (other) =>
      other.name !== name &&
      part!.records.table === null &&
      other.parts[0]!.document === part!.document &&
      other.parts[0]!.records.columns[0]?.name === part!.records.columns[0]?.name,
  );

/** Whether one of the lower-case `words` occurs both in `name` and in the name of a column of the table. */
export function sharesWord({ parts }: PlannedTable, name: string, words: readonly string[]): boolean {
  const named = wordsIn(name).filter((word) => words.includes(word));
  const others = parts.flatMap(({ records }) => records.columns.flatMap((column) => wordsIn(column.name)));
  return named.some((word) => others.includes(word));
}

/** Finds the tables of all documents: `lines`, then tables of formats, which documents share, then all other tables. */
export function planTables(source: TextSource): readonly PlannedTable[] {
  const tables = new Map<string, PlannedTable & { readonly isShared: boolean }>();
  function add(name: string, isShared: boolean, part: TablePart): void {
    const known = tables.get(name.toLowerCase());
    if (known === undefined) tables.set(name.toLowerCase(), { name, isShared, parts: [part] });
    else known.parts.push(part);
  }
  function mayTake(name: string, { records }: TablePart): boolean {
    const known = tables.get(name.toLowerCase());
    if (known === undefined) return true;
    return !known.isShared && namesOf(known.parts[0]!.records.columns) === namesOf(records.columns);
  }

  const documents = source.documents.map((_, index) => openRecordDocument(source, index));
  const ofDocuments = documents.map((document) =>
    recordsOf(document).map((records): TablePart => ({ document, records })),
  );
  for (const document of documents) {
    const [records] = tableOf(linesName, columnsNamed('text'), document, lineRows);
    add(linesName, true, { document, records: records! });
  }
  for (const part of ofDocuments.flat()) if (part.records.table !== null) add(part.records.table, true, part);
  for (const parts of ofDocuments) {
    const own = parts.filter(({ records }) => records.table === null);
    for (const [at, part] of own.entries()) {
      const names = namesFor(part.document, own.length > 1 ? at + 1 : null);
      for (const name of names) {
        if (!mayTake(name, part)) continue;
        add(name, false, part);
        break;
      }
    }
  }
  return [...tables.values()];
}
