import { counted, grouped, listed } from '../base/text.ts';
import type { DescribedTable, TablesDescription, Value } from './query-result.ts';
import { placeColumns, sqlName } from './sql.ts';

const defaultCharacters = 2_500;
const mostColumns = 40;
const everyRow = 'Each row has document and line (number in lines and headings) before these columns:';
/** Characters that are reserved for the last table and the notes. */
const keptCharacters = 450;

const mostNameCharacters = 60;

const shortName = (name: string): string =>
  name.length <= mostNameCharacters ? name : `…${name.slice(1 - mostNameCharacters)}`;

const shownValue = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replace(/\s+/g, ' ')}'`;

function headOf({ name, about, rows, isCounted, times, documents, moreDocuments }: DescribedTable): string {
  const count = `${isCounted ? '' : 'at least '}${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const from = `from ${listed(documents.map(shortName), moreDocuments, 'document')}`;
  const range = times === null ? [] : [`times ${times.first} to ${times.last}`];
  return `${sqlName(name)}: ${[...(about === null ? [] : [about]), count, ...range, from].join('; ')}`;
}

function columnsLine({ columns }: DescribedTable): string {
  const own = columns.slice(placeColumns);
  const shown = own
    .slice(0, mostColumns)
    .map(({ name, type }) => (type === 'ANY' ? sqlName(name) : `${sqlName(name)} ${type}`));
  return `  ${listed(shown, own.length - shown.length, 'column')}`;
}

const sampleLines = ({ samples }: DescribedTable): string[] =>
  samples.map((row) => `  (${row.slice(placeColumns).map(shownValue).join(', ')})`);

/** Returns descriptions of a table, the longest first. */
const formsOf = (table: DescribedTable): string[] => {
  const [head, columns, samples] = [headOf(table), columnsLine(table), sampleLines(table)];
  return [samples.length, 1, 0].map((count) => [head, columns, ...samples.slice(0, count)].join('\n'));
};

/**
 * Describes the tables of a text for a prompt.
 * @param characters maximum number of characters of the description. Tables that do not fit are only counted.
 */
export function renderTables({ tables, notes }: TablesDescription, characters = defaultCharacters): string {
  const parts = [everyRow];
  let left = characters - everyRow.length - keptCharacters;
  const lines = tables.at(-1)!;
  const others = tables.slice(0, -1);
  // Each table gets a share of the characters that earlier tables left over.
  const shown = others.filter((table, index) => {
    const share = left / Math.max(1, Math.min(others.length - index, 3));
    const forms = formsOf(table);
    const form = forms.find(({ length }) => length < share) ?? forms.at(-1)!;
    if (form.length >= left) return false;
    parts.push(form);
    left -= form.length + 1;
    return true;
  });
  const more = others.length - shown.length;
  if (more > 0) parts.push(`and ${counted(more, 'more table')}; query fewer files to see them`);
  parts.push(formsOf(lines).at(-1)!);
  left = characters - parts.join('\n').length;
  for (const note of notes) {
    left -= note.length + 1;
    if (left >= 0) parts.push(note);
  }
  return parts.join('\n');
}
