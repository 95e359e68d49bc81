import { identifierParts } from '../../words/identifier.ts';
import { type Decimal, readDecimal } from './decimal.ts';

/** What a unit measures, and its size in the smallest unit. */
interface Unit {
  readonly measures: string;
  readonly factor: string;
}

const listed: readonly (readonly [measures: string, factor: string, names: string])[] = [
  ['time', '0.001', 'us µs microsecond microseconds'],
  ['time', '1', 'ms msec millis millisecond milliseconds'],
  ['time', '1000', 's sec secs second seconds'],
  ['time', '60000', 'min mins minute minutes'],
  ['time', '3600000', 'h hour hours'],
  ['size', '1', 'b byte bytes'],
  ['size', '1000', 'kb'],
  ['size', '1000000', 'mb'],
  ['size', '1000000000', 'gb'],
  ['dollars', '1', '$ us$ usd dollar dollars'],
  ['euros', '1', '€ eur euro euros'],
  ['pounds', '1', '£ gbp pound pounds'],
  ['percent', '1', '% pct percent'],
  ['weight', '1', 'kg'],
  ['weight', '0.001', 'g'],
];

const units = new Map<string, Unit>(
  listed.flatMap(([measures, factor, names]) => names.split(' ').map((name) => [name, { measures, factor }] as const)),
);

/** Whether a word is a known unit. */
export const isUnit = (word: string): boolean => units.has(word.toLowerCase());

const partsOf = (column: string): readonly string[] =>
  (column.match(/[\p{L}\p{N}_]+|[%$€£]/gu) ?? []).flatMap(identifierParts);

/** Name endings that usually mean something else: the minimum, a column b. */
const ambiguous = new Set(['min', 'b', 'g']);

/** Returns the unit at the end of a column's name, as in `latency_ms`, `delayMinutes` and `Bonus %`; '' for none. */
export function unitInName(column: string): string {
  const parts = partsOf(column);
  const last = parts.at(-1)?.toLowerCase() ?? '';
  const isUnitAlone = /^(?:ms|msec|secs?|seconds?|mins|minutes?|hours?)$/.test(last);
  return (parts.length > 1 || isUnitAlone) && isUnit(last) && !ambiguous.has(last) ? last : '';
}

/** Characters of a unit within a name, at least: a shorter word is more often something else. */
const leastCharacters = 4;

/** Returns all units in a column's name, as in `hours_to_close`. */
export const unitsInName = (column: string): readonly string[] => [
  unitInName(column),
  ...partsOf(column)
    .map((part) => part.toLowerCase())
    .filter((part) => part.length >= leastCharacters && isUnit(part)),
];

/** Returns what a unit measures; '' for an unknown one. */
export const measuredBy = (unit: string): string => units.get(unit.toLowerCase())?.measures ?? '';

const multiply = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale });

/**
 * Converts a number to the smallest unit of its kind, so that numbers can be compared: 1.5 s is 1500. Without a unit,
 * or with an unknown one, the number is unchanged.
 */
export function inSmallest(value: Decimal, unit: string): Decimal {
  const factor = units.get(unit.toLowerCase())?.factor;
  return factor === undefined ? value : multiply(value, readDecimal(factor)!);
}
