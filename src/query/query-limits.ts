import type { Settings } from '../config/settings.ts';

/** What a query may take. */
export interface QueryLimits {
  /** Text of the documents that the named tables are read from, in MB. */
  readonly megabytes: number;
  /** In ms. */
  readonly timeoutMs: number;
  /** Memory for the tables and what is computed, in MB. */
  readonly memoryMb: number;
  /** Rows of a result that are returned. */
  readonly rows: number;
  /** Characters of a result that are returned. */
  readonly characters: number;
}

const msPerSecond = 1_000;

/** What a caller may choose for one query; the settings say the rest. */
export interface QueryWishes {
  /** Rows that are returned, at most. */
  readonly maxRows?: number | undefined;
  /** Characters of the rows that are returned, at most. */
  readonly maxCharacters?: number | undefined;
}

/** Returns the limits that the settings and the caller give. */
export function limitsOf({ query: limits }: Pick<Settings, 'query'>, wishes: QueryWishes = {}): QueryLimits {
  const { maxMegabytes: megabytes, timeout, memory: memoryMb } = limits;
  const { maxRows: rows = limits.maxRows, maxCharacters: characters = limits.maxCharacters } = wishes;
  return { megabytes, timeoutMs: timeout * msPerSecond, memoryMb, rows, characters };
}
