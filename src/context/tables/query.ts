import type { CalendarPart, Period } from './cells/days.ts';
import type { Decimal } from './cells/decimal.ts';

export type Comparison = '>' | '>=' | '<' | '<=' | '=';

/** What the cell of a row has to be for the row to count. */
export type Filter =
  /** One of these values, case and accents aside; or none of them. */
  | { readonly kind: 'is'; readonly column: number; readonly values: readonly string[]; readonly isNot: boolean }
  | {
      readonly kind: 'number';
      readonly column: number;
      readonly is: Comparison;
      readonly than: Decimal;
      readonly unit: string;
    }
  /** Within a time, by when it begins. */
  | { readonly kind: 'time'; readonly column: number; readonly within: Partial<Period>; readonly says: string }
  | { readonly kind: 'month'; readonly column: number; readonly month: number; readonly says: string };

/** What is computed of the rows, or of each group of them. */
export type Aggregate = 'count' | 'distinct' | 'sum' | 'mean' | 'min' | 'max';

export interface Group {
  readonly column: number;
  /** Of days: only that part of them; null: the cell as it is. */
  readonly part: CalendarPart | null;
}

/** Which of the groups, or of the rows, come first, and how many of them are asked for; null: all. */
export interface Ranking {
  readonly order: 'most first' | 'least first';
  readonly limit: number | null;
}

/** What a question asks of a table, with the columns by their index. */
export interface Query {
  readonly aggregate: Aggregate;
  /** Null where rows are counted. */
  readonly column: number | null;
  readonly filters: readonly Filter[];
  readonly group: Group | null;
  /** Null where there is one result, or all groups are asked for. */
  readonly ranking: Ranking | null;
}

/** A way to understand a question about a table. */
export interface TableReading {
  readonly query: Query;
  /** How certain it is that the question means it, above 0 and below 1; see docs/decisions/0036-tables.md. */
  readonly certainty: number;
  /** A word of the question that nothing in the table explains, and each row is taken for one of; null: none. */
  readonly assumes: string | null;
}
