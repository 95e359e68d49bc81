import type { Column } from '../value.ts';
import type { RecordTable } from './reader.ts';
import { linesOf, type RecordDocument } from './record-document.ts';

const columns: readonly Column[] = [{ name: 'text', type: 'TEXT' }];

/** Every line of a document. */
export const linesTable = (document: RecordDocument): RecordTable => ({
  table: 'lines',
  about: 'every line of every document',
  columns,
  *rows() {
    for (const { line, text } of linesOf(document)) yield { line, values: [text] };
  },
});
