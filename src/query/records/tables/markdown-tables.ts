import type { RecordReader } from '../reader.ts';
import { findMarkdownTables } from './rows/markdown.ts';
import { typedTable } from './table-rows.ts';

const kinds: readonly string[] = ['Markdown', 'markdown', 'text', 'notebook'];

/** Tables within Markdown. */
export const markdownTablesReader: RecordReader = {
  name: 'Markdown tables',
  isBeside: true,
  find: (document) =>
    kinds.includes(document.kind)
      ? findMarkdownTables(document.source, document.index).map((table) =>
          typedTable(document, table, table.heading === '' ? null : `below "${table.heading}"`),
        )
      : [],
};
