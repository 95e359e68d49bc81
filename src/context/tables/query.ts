import type { CalendarPart, Period } from './cells/days.ts';
import type { Decimal } from './cells/decimal.ts';

export type Comparison = '>' | '>=' | '<' | '<=' | '=';

/** A condition on a cell for its row to count. */
export type Filter =
  /** One of these values, or none of them; case and accents are ignored. */
  | { readonly kind: 'is'; readonly column: number; readonly values: readonly string[]; readonly isNot: boolean }
  | {
      readonly kind: 'number';
      readonly column: number;
      readonly is: Comparison;
      readonly than: Decimal;
      readonly unit: string;
    }
  /** Begins within a period. */
  | { readonly kind: 'time'; readonly column: number; readonly within: Partial<Period>; readonly says: string }
  | { readonly kind: 'month'; readonly column: number; readonly month: number; readonly says: string };

/** What is computed from the rows, or from each group. */
export type Aggregate = 'count' | 'distinct' | 'sum' | 'mean' | 'min' | 'max';

export interface Group {
  readonly column: number;
  /** For days: the part that groups; null: the whole cell. */
  readonly part: CalendarPart | null;
}

/** The order of groups or rows, and how many are asked for; null: all. */
export interface TableRanking {
  readonly order: 'most first' | 'least first';
  readonly limit: number | null;
}

/** What a question asks about a table; columns are given by index. */
export interface Query {
  readonly aggregate: Aggregate;
  /** Null where rows are counted. */
  readonly column: number | null;
  readonly filters: readonly Filter[];
  readonly group: Group | null;
  /** Null where there is one result, or all groups are asked for. */
  readonly ranking: TableRanking | null;
  /** The column that names the row with the least or the most; null where there is none. */
  readonly label: number | null;
}

/** An interpretation of a question about a table. */
export interface TableReading {
  readonly query: Query;
  /** How certain it is that the question means this, above 0 and below 1; see docs/decisions/0036-tables.md. */
  readonly certainty: number;
  /** A word of the question that the table does not explain and that is assumed to name its rows; null: none. */
  readonly assumes: string | null;
  /** Words of the question that the table does not explain and that are ignored. */
  readonly unused: readonly string[];
}
