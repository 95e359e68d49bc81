import { grouped } from '../base/counted.ts';
import type { Column, Value } from './value.ts';

/** Lines of a document, both from 1 and included. */
export interface CitedLines {
  readonly document: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The result of a query. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows that the query has, shown or not. */
  readonly rowCount: number;
  /** Whether `rowCount` is all of them; else counting was ended early. */
  readonly isCounted: boolean;
  /** The lines that the shown rows are from, at most 20. None where rows do not tell their lines. */
  readonly citations: readonly CitedLines[];
  /** Further lines that the shown rows are from. */
  readonly moreCitations: number;
  /** Whether the rows are computed from many: then the query itself is the evidence. */
  readonly isAggregate: boolean;
  readonly sql: string;
  readonly timeMs: number;
  /** What is left out and how to see it; rows of the text that are no records. */
  readonly notes: readonly string[];
}

/** Says that only the first rows are shown, and how to see others. */
export const leftOut = (shown: number, { rowCount, isCounted }: Pick<QueryResult, 'rowCount' | 'isCounted'>): string =>
  `${grouped(shown)} of ${isCounted ? '' : 'more than '}${grouped(rowCount)} rows are shown; see others with LIMIT ${shown} OFFSET ${shown}`;

/** A table that SQL can name. */
export interface DescribedTable {
  readonly name: string;
  /** What it is, in a few words; null where its name says it. */
  readonly about: string | null;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether `rows` is all of them; else the documents are too large to be read for a description. */
  readonly isCounted: boolean;
  /** The first rows, at most 3; long values are cut and end with `…`. */
  readonly samples: readonly (readonly Value[])[];
  /** The first and the last value of `time`; null where it has none. */
  readonly times: { readonly first: string; readonly last: string } | null;
  /** Names of its documents, at most 3. */
  readonly documents: readonly string[];
  readonly moreDocuments: number;
}

/** The tables of a text. */
export interface TablesDescription {
  readonly tables: readonly DescribedTable[];
  readonly notes: readonly string[];
}

/** An answer that was computed by SQL that code wrote for a question. */
export interface TranslatedQuestion {
  readonly sql: string;
  /** What came out, in words. */
  readonly words: string;
  readonly values: readonly Value[];
  /** The first lines that it was computed from. */
  readonly places: readonly CitedLines[];
  /** As in `QueryResult`. */
  readonly notes: readonly string[];
}

/** What a translation of a question comes to. */
export interface Translation {
  /** Null where a word of the question is left over, or its readings differ. */
  readonly translated: TranslatedQuestion | null;
  /** Whether the text has records and the question asks for something that is computed. */
  readonly asksNumber: boolean;
}
