import type { RecordReader } from '../reader.ts';
import { asDelimited } from './rows/recognise.ts';
import { typedTable } from './table-rows.ts';

const named: readonly string[] = ['CSV', 'TSV'];
const unnamed: readonly string[] = ['text', 'log'];

/** CSV, TSV and other text with delimiters below a header. */
export const delimitedReader: RecordReader = {
  name: 'CSV and TSV',
  isBeside: false,
  find(document) {
    const isNamed = named.includes(document.kind);
    if (!isNamed && !unnamed.includes(document.kind)) return [];
    const rows = asDelimited(document.source, document.index, isNamed);
    return rows === null ? [] : [typedTable(document, rows, null)];
  },
};
