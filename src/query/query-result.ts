import { grouped } from '../base/text.ts';
import type { Settings } from '../config/settings.ts';

/** A value of a cell. Integers that a JavaScript number cannot hold, and blobs, are text. */
export type Value = string | number | null;

/** Type of a column. `JSON`: text for json_extract. `ANY`: values of several types. */
export type ColumnType = 'TEXT' | 'INTEGER' | 'REAL' | 'JSON' | 'ANY';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

const msPerSecond = 1_000;

/** Limits that a caller may choose for one query; the settings give the other limits. */
export interface QueryWishes {
  readonly maxRows?: number | undefined;
  /** Maximum number of characters of all returned rows together. */
  readonly maxCharacters?: number | undefined;
}

/** Limits of a query. */
export type QueryLimits = Readonly<ReturnType<typeof limitsOf>>;

/** Returns the limits of a query; the caller's wishes override the settings. */
export const limitsOf = ({ query }: Pick<Settings, 'query'>, wishes: QueryWishes = {}) => ({
  /** Maximum size of the documents from which the SQL reads its tables, in MB. */
  megabytes: query.maxMegabytes,
  timeoutMs: query.timeout * msPerSecond,
  memoryMb: query.memory,
  rows: wishes.maxRows ?? query.maxRows,
  characters: wishes.maxCharacters ?? query.maxCharacters,
});

/** A range of lines of a document, counted from 1, both ends included. */
export interface CitedLines {
  readonly document: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The result of a query. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Number of rows of the result, including rows that are not shown. */
  readonly rowCount: number;
  /** Whether `rowCount` is exact; false if counting ended early. */
  readonly isCounted: boolean;
  /** The lines of the shown rows, at most 20 ranges; empty if the rows have no document and line. */
  readonly citations: readonly CitedLines[];
  /** Number of further ranges. */
  readonly moreCitations: number;
  /** Whether the query aggregates rows. If so, the query itself is the evidence. */
  readonly isAggregate: boolean;
  readonly sql: string;
  readonly timeMs: number;
  /** Notes on what is left out and how to see it, and on lines that could not be read as records. */
  readonly notes: readonly string[];
}

/** Returns the note that only the first rows are shown. The note also says how to see other rows. */
export const leftOut = (shown: number, { rowCount, isCounted }: Pick<QueryResult, 'rowCount' | 'isCounted'>): string =>
  `${grouped(shown)} of ${isCounted ? '' : 'more than '}${grouped(rowCount)} rows are shown; see others with LIMIT ${shown} OFFSET ${shown}`;

/** A table that SQL can name. */
export interface DescribedTable {
  readonly name: string;
  /** Short description; null if the name is enough. */
  readonly about: string | null;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether `rows` is exact; false for documents that are too large to be read whole for a description. */
  readonly isCounted: boolean;
  /** The first rows, at most 3; long values are cut and end with `…`. */
  readonly samples: readonly (readonly Value[])[];
  /** The first and the last value of the column `time`; null without such values. */
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

/** A result computed by SQL. Fixed rules, without a model, translated the question to the SQL. */
export interface TranslatedQuestion {
  readonly sql: string;
  /** Whether the result may be stated. If not, the SQL is only proposed. */
  readonly isExact: boolean;
  readonly words: string;
  /** The values of all rows, one row after the other, `columns.length` values each. */
  readonly values: readonly Value[];
  /** For each column of the values: the names that may refer to it. */
  readonly columns: readonly (readonly string[])[];
  /** The first lines that the answer was computed from. */
  readonly places: readonly CitedLines[];
  /** As in `QueryResult`. */
  readonly notes: readonly string[];
}

/** The result of translating a question. */
export interface Translation {
  /** The result; null, for example, if the tables give a word no meaning, or two readings of the question disagree. */
  readonly translated: TranslatedQuestion | null;
  /** Whether the text has records and the question asks for a count, a sum or a mean. */
  readonly asksNumber: boolean;
  /** The limit on the documents with records, in MB; absent if the documents are within the limit. */
  readonly limitMb?: number;
}
