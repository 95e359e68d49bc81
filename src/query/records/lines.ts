import type { Column } from '../value.ts';
import type { RecordTable } from './reader.ts';
import { type RecordDocument, recordLines } from './record-document.ts';

const columns: readonly Column[] = [{ name: 'text', type: 'TEXT' }];

/** Every line of a document. */
export const linesTable = (document: RecordDocument): RecordTable => ({
  table: 'lines',
  about: 'every line of every document',
  columns,
  *rows() {
    for (const { line, text } of recordLines(document)) yield { line, values: [text] };
  },
});
