import { grouped } from '../base/text.ts';
import type { Settings } from '../config/settings.ts';

/** A value of a cell. Integers that a JavaScript number cannot hold, and blobs, are text. */
export type Value = string | number | null;

/**
 * Type of a column. `JSON`: text that json_extract reads. `ANY`: values of several types.
 */
export type ColumnType = 'TEXT' | 'INTEGER' | 'REAL' | 'JSON' | 'ANY';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

const msPerSecond = 1_000;

/** What a caller may choose for one query; the settings say the rest. */
export interface QueryWishes {
  /** Rows that are returned, at most. */
  readonly maxRows?: number | undefined;
  /** Characters of the rows that are returned, at most. */
  readonly maxCharacters?: number | undefined;
}

/** What a query may take. */
export type QueryLimits = Readonly<ReturnType<typeof limitsOf>>;

/** Returns the limits that the settings and the caller give. */
export const limitsOf = ({ query }: Pick<Settings, 'query'>, wishes: QueryWishes = {}) => ({
  /** Text of the documents that the named tables are read from, in MB. */
  megabytes: query.maxMegabytes,
  timeoutMs: query.timeout * msPerSecond,
  /** Memory for the tables and what is computed, in MB. */
  memoryMb: query.memory,
  /** Rows and characters of a result that are returned. */
  rows: wishes.maxRows ?? query.maxRows,
  characters: wishes.maxCharacters ?? query.maxCharacters,
});

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
  /** Row by row, of `columns.length` values each. */
  readonly values: readonly Value[];
  /** The names by which each column of the values may be called. */
  readonly columns: readonly (readonly string[])[];
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
