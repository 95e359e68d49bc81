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
