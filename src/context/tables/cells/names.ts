import { createMemo } from '../../../base/memo.ts';
import { identifierParts } from '../../words/identifier.ts';
import { stem } from '../../words/stem.ts';
import { unitInName } from './units.ts';

/** Returns text without case, accents and repeated spaces. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the words of a name or a value, the same for `latency_ms`, `latencyMs` and `Latency MS`. */
export const partsOf = (text: string): string[] =>
  (text.replace(/\b([A-Z]{2,})s\b/g, '$1').match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap(identifierParts).map(folded);

/** Returns the stems of these words. */
export const stemsOf = (text: string): string[] =>
  partsOf(text)
    .map((part) => stem(part))
    .filter((part) => part !== '');

/** Words of a column's name that describe its form, not its content. */
const formal = new Set(
  [
    'id',
    'ids',
    'name',
    'no',
    'nr',
    'number',
    'key',
    'code',
    'ms',
    'sec',
    'secs',
    'seconds',
    's',
    'us',
    'ns',
    'kb',
    'mb',
    'gb',
    'bytes',
    'usd',
    'eur',
    'gbp',
    'chf',
    'pct',
    'percent',
    'at',
    'on',
    'date',
    'time',
    'timestamp',
    'utc',
    'value',
    'text',
  ].map((word) => stem(word)),
);

/** The words of a column's name, in each way that a question may name it. */
interface ColumnWords {
  readonly whole: string;
  readonly last: string;
  readonly withoutUnit: string | null;
  readonly meaning: string;
  readonly outer: string;
}

const joined = (words: readonly string[]): string => words.join(' ');
const meaningOf = (words: readonly string[]): string => joined(words.filter((word) => !formal.has(word)));

/** Kept, because each run of words of a question is compared with every column. */
const columnWords = createMemo(1_000, (column): ColumnWords => {
  const whole = stemsOf(column);
  const last = stemsOf(column.slice(column.lastIndexOf('.') + 1));
  return {
    whole: joined(whole),
    last: joined(last),
    withoutUnit: unitInName(column) === '' ? null : joined(whole.slice(0, -1)),
    meaning: meaningOf(last),
    outer: meaningOf(whole),
  };
});

/** Returns how certainly words name a column: 1 for its whole name, less for a part, 0 for none. */
export function namesColumn(words: readonly string[], column: string): number {
  const { whole, last, withoutUnit, meaning, outer } = columnWords(column);
  const key = joined(words);
  if (key === whole) return 1;
  if (key === last || key === withoutUnit) return 0.95;
  if (meaning !== '' && key === meaning) return 0.9;
  // A nested key, as in `user.id`.
  if (meaning === '' && outer !== '' && key === outer) return 0.9;
  return words.length > 0 && ` ${whole} `.includes(` ${key} `) ? 0.7 : 0;
}
