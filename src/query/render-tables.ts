import { grouped, listed } from '../base/counted.ts';
import type { DescribedTable, TablesDescription } from './query-result.ts';
import { sqlName } from './sql/keywords.ts';
import type { Value } from './value.ts';

const defaultCharacters = 2_500;
const mostColumns = 40;
/** Characters that the note on what is left out takes, at most. */
const noteCharacters = 120;

const shownValue = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replace(/\s+/g, ' ')}'`;

function headOf({ name, about, rows, isCounted, times, documents, moreDocuments }: DescribedTable): string {
  const count = `${isCounted ? '' : 'at least '}${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const from = `from ${listed(documents, moreDocuments, 'document')}`;
  const range = times === null ? [] : [`times ${times.first} to ${times.last}`];
  return `${sqlName(name)}: ${[...(about === null ? [] : [about]), count, ...range, from].join('; ')}`;
}

function columnsLine({ columns }: DescribedTable): string {
  const shown = columns
    .slice(0, mostColumns)
    .map(({ name, type }) => (type === 'ANY' ? sqlName(name) : `${sqlName(name)} ${type}`));
  return `  columns: ${listed(shown, columns.length - shown.length, 'column')}`;
}

const sampleLines = ({ samples }: DescribedTable): string[] =>
  samples.map((row) => `  (${row.map(shownValue).join(', ')})`);

/** Forms of a table's description, the longest first. */
const formsOf = (table: DescribedTable): string[] => {
  const [head, columns, samples] = [headOf(table), columnsLine(table), sampleLines(table)];
  return [
    [head, columns, ...samples].join('\n'),
    [head, columns, ...samples.slice(0, 1)].join('\n'),
    [head, columns].join('\n'),
  ];
};

/**
 * Returns the tables of a text in words, for a prompt.
 * @param characters of the whole, at most; where there are more tables, the last ones are counted.
 */
export function renderTables({ tables, notes }: TablesDescription, characters = defaultCharacters): string {
  const shown: string[] = [];
  let left = characters - noteCharacters;
  // The last table is `lines`, whose description is short: every text has it.
  for (const [index, table] of tables.entries()) {
    const room = left - (tables.length - index - 1) * 60;
    const forms = formsOf(table);
    const form = forms.find(({ length }) => length <= room) ?? (forms.at(-1)!.length <= left ? forms.at(-1)! : null);
    if (form === null) continue;
    shown.push(form);
    left -= form.length + 1;
  }
  const more = tables.length - shown.length;
  const others =
    more === 0 ? [] : [`and ${more} more ${more === 1 ? 'table' : 'tables'}; query fewer files to see them`];
  const noted = notes.filter((note) => {
    left -= note.length + 1;
    return left >= 0;
  });
  return [...shown, ...others, ...noted].join('\n');
}
