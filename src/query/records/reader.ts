import type { Column, Value } from '../value.ts';
import type { RecordDocument } from './record-document.ts';
import type { TimeReader } from './times.ts';

/** A record, or a place that cannot be read as one. */
export type RecordRow =
  | {
      /** Line of the document, from 1. */
      readonly line: number;
      /** Values in the order of the columns; missing ones are null. */
      readonly values: readonly Value[];
    }
  | {
      readonly line: number;
      /** Why it is no record, to follow a number of rows: `with more fields than the header`. */
      readonly problem: string;
    };

/** What rows are read with. */
export interface Reading {
  /** Names of the columns that are needed; others may be null. */
  wants(column: string): boolean;
  /** Creates a reader of times, which knows the year of those that lack one. */
  times(): TimeReader;
}

/** Records of a document with the same columns. */
export interface RecordTable {
  /** Name of its table; null where the document names it. */
  readonly table: string | null;
  /** What it is, in a few words: `the second table below "Deploys"`; null where the name says it. */
  readonly about: string | null;
  /** The columns but for document and line. They may grow while rows are read. */
  readonly columns: readonly Column[];
  rows(reading: Reading): Iterable<RecordRow>;
}

/** Reads one format of records. */
export interface RecordReader {
  /** Name of the format. */
  readonly name: string;
  /** Whether other readers may find records in the same document. */
  readonly isBeside: boolean;
  /** Returns the tables of a document; none where it has another format. Decides by the name and the first lines. */
  find(document: RecordDocument): readonly RecordTable[];
}
