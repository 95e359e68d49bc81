import { delimitedReader } from './delimited.ts';
import { logReader } from './log.ts';
import { markdownTablesReader } from './markdown-tables.ts';
import type { RecordReader } from './reader.ts';

/** Every reader of records. Of those that read whole documents the first that finds tables reads one. */
export const recordReaders: readonly RecordReader[] = [logReader, delimitedReader, markdownTablesReader];
