import { createMemo } from '../../../base/memo.ts';
import { identifierParts } from '../../words/identifier.ts';
import { stem } from '../../words/stem.ts';
import { unitInName } from './units.ts';

/** Text without case, accents and repeated spaces. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** The words of a name or a value: those of `latency_ms`, `latencyMs` and `Latency MS` are the same. */
export const partsOf = (text: string): string[] =>
  (text.replace(/\b([A-Z]{2,})s\b/g, '$1').match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap(identifierParts).map(folded);

/** The same words without their endings. */
export const stemsOf = (text: string): string[] =>
  partsOf(text)
    .map((part) => stem(part))
    .filter((part) => part !== '');

/** Words of a column's name that say how it is written, and not what it holds. */
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

/** The words of a column's name, in each way in which it is called. */
interface ColumnWords {
  readonly whole: string;
  readonly last: string;
  readonly withoutUnit: string | null;
  readonly meaning: string;
  readonly outer: string;
}

const joined = (words: readonly string[]): string => words.join(' ');
const meaningOf = (words: readonly string[]): string => joined(words.filter((word) => !formal.has(word)));

/** A question holds many runs of words, each of which is compared with every column. */
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

/** How surely words name a column: 1 by its whole name, less by a part of it, 0 not at all. */
export function namesColumn(words: readonly string[], column: string): number {
  const { whole, last, withoutUnit, meaning, outer } = columnWords(column);
  const key = joined(words);
  if (key === whole) return 1;
  if (key === last || key === withoutUnit) return 0.95;
  if (meaning !== '' && key === meaning) return 0.9;
  // A key within what is named, as in `user.id`.
  if (meaning === '' && outer !== '' && key === outer) return 0.9;
  return words.length > 0 && ` ${whole} `.includes(` ${key} `) ? 0.7 : 0;
}
