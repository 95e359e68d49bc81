import type { TextSource } from '../context/shown-text.ts';
import type { DescribedTable, TablesDescription } from './query-result.ts';
import { columnsNamed } from './records/reader.ts';
import type { QueryText } from './run-query.ts';
import { quoted } from './sql.ts';
import { type Database, openDatabase } from './sqlite/database.ts';
import type { Sqlite } from './sqlite/start.ts';
import { createReading, type FilledTable, fillTable } from './tables/fill-table.ts';
import { linesName, type PlannedTable, planTables } from './tables/plan-tables.ts';

const mostBytes = 16_000_000;
const sampledBytes = 128 * 1024;
const sampledRows = 3;
const sampledCharacters = 60;
const namedDocuments = 3;

function sampleOf({ documents, read }: TextSource): TextSource {
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  if (bytes <= mostBytes) return { documents, read };
  return { documents: documents.map((one) => ({ ...one, bytes: Math.min(one.bytes, sampledBytes) })), read };
}

function timesOf(database: Database, { name, columns }: FilledTable): DescribedTable['times'] {
  if (!columns.some((column) => column.name === 'time')) return null;
  const [first, last] = database.rows(`SELECT min(time), max(time) FROM ${quoted(name)}`)[0]!;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : null;
}

function samplesOf(database: Database, name: string): DescribedTable['samples'] {
  const statement = database.prepare(`SELECT * FROM ${quoted(name)} LIMIT ${sampledRows}`)!;
  const rows: DescribedTable['samples'][number][] = [];
  while (statement.step()) rows.push(statement.columns.map((_, column) => statement.value(column, sampledCharacters)));
  statement.close();
  return rows;
}

const firstNames = (names: readonly string[]) => ({
  documents: names.slice(0, namedDocuments),
  moreDocuments: Math.max(0, names.length - namedDocuments),
});

function aboutParts({ parts }: PlannedTable, whole: TextSource) {
  return {
    about: parts[0]!.records.about ?? null,
    ...firstNames([...new Set(parts.map(({ document }) => document.name))]),
    isCounted: parts.every(({ document }) => document.bytes === whole.documents[document.index]!.bytes),
  };
}

function describeLines(whole: TextSource): DescribedTable {
  return {
    name: linesName,
    about: 'every line of every document',
    columns: columnsNamed('document number:INTEGER text'),
    rows: whole.documents.reduce((sum, { lines }) => sum + lines, 0),
    isCounted: true,
    samples: [],
    times: null,
    ...firstNames(whole.documents.map(({ name }) => name)),
  };
}

const leastTelling: readonly string[] = ['headings', 'paths'];

/** Describes the tables of a text, `lines` last. */
export function describeTableList(sqlite: Sqlite, { source, origins }: QueryText): TablesDescription {
  const planned = planTables(sampleOf(source))
    .filter(({ name }) => name !== linesName)
    .sort((a, b) => leastTelling.indexOf(a.name) - leastTelling.indexOf(b.name));
  const database = openDatabase(sqlite);
  const reading = createReading(planned, () => true);
  const notes: string[] = [];
  const tables = planned.map((table): DescribedTable => {
    const filled = fillTable(database, table, origins, reading);
    const { name, columns, rows } = filled;
    const parts = aboutParts(table, source);
    // A sample may end within a record. Notes about unreadable records of a sample are left out.
    notes.push(...filled.notes.filter((note) => parts.isCounted || !note.startsWith(`${name} lacks`)));
    const contents = { samples: samplesOf(database, name), times: timesOf(database, filled) };
    database.run(`DROP TABLE ${quoted(name)}`);
    return { name, columns, rows, ...contents, ...parts };
  });
  return { tables: [...tables, describeLines(source)], notes: [...notes, ...reading.notes()] };
}
