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

/** Returns how certainly words name a column: 1 for its whole name, less for a part, 0 for none. */
export function namesColumn(words: readonly string[], column: string): number {
  const own = stemsOf(column);
  const key = words.join(' ');
  if (key === own.join(' ')) return 1;
  const last = stemsOf(column.slice(column.lastIndexOf('.') + 1));
  if (last.length < own.length && key === last.join(' ')) return 0.95;
  if (unitInName(column) !== '' && key === own.slice(0, -1).join(' ')) return 0.95;
  const meaning = last.filter((word) => !formal.has(word));
  if (meaning.length > 0 && key === meaning.join(' ')) return 0.9;
  // A nested key, as in `user.id`.
  const outer = own.filter((word) => !formal.has(word));
  if (meaning.length === 0 && outer.length > 0 && key === outer.join(' ')) return 0.9;
  return words.length > 0 && ` ${own.join(' ')} `.includes(` ${key} `) ? 0.7 : 0;
}
