import { Fraction } from 'fraction.js';
import { dayOf } from './dates.ts';
import { type Duration, isKind, type Moment, type Value } from './values.ts';

/** Decimals of a number that has no end, behind the first digit that is not 0. */
const shownDecimals = 20;
const mostDecimals = 100;
const longestFraction = 60;
const shownItems = 100;
const nanosecond = new Fraction(1, 1_000_000_000);

/** Writes a value so that a model can go on with it. */
export function showValue(value: Value): string {
  if (isKind(value, 'number')) return showNumber(value);
  if (isKind(value, 'list')) return showList(value);
  if (isKind(value, 'duration')) return showDuration(value);
  return isKind(value, 'date') ? showDate(value) : String(value);
}

function showList(items: readonly Value[]): string {
  const shown = items.slice(0, shownItems).map(showValue).join(', ');
  return items.length > shownItems ? `[${shown}, …] (${items.length} values)` : `[${shown}]`;
}

function showNumber(value: Fraction): string {
  if (10n ** BigInt(mostDecimals) % value.d === 0n) return value.toString(mostDecimals);
  const fraction = value.toFraction();
  const [top = '', bottom = ''] = fraction.split('/');
  const places = Math.max(shownDecimals, shownDecimals + bottom.length - top.length);
  const rounded = `≈ ${toDecimals(value, places)}`;
  return fraction.length <= longestFraction ? `${fraction} ${rounded}` : rounded;
}

/** Writes a number rounded to so many decimals, zeros at the end included. */
function toDecimals(value: Fraction, decimals: number): string {
  const scaled = (2n * value.n * 10n ** BigInt(decimals) + value.d) / (2n * value.d);
  const digits = String(scaled).padStart(decimals + 1, '0');
  return `${value.s < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const parts = [
  ['day', 86_400n],
  ['hour', 3_600n],
  ['minute', 60n],
] as const;

const withUnit = (count: string, unit: string): string => `${count} ${unit}${count === '1' ? '' : 's'}`;

function showDuration({ months, seconds }: Duration): string {
  const sign = seconds.s < 0n ? '-' : '';
  const shown = months.n === 0n ? [] : [withUnit(showNumber(months), 'month')];
  let left = seconds.n;
  for (const [unit, size] of parts) {
    const count = left / (size * seconds.d);
    if (count > 0n) shown.push(`${sign}${withUnit(String(count), unit)}`);
    left -= count * size * seconds.d;
  }
  if (left > 0n) shown.push(`${sign}${withUnit(showNumber(new Fraction(left, seconds.d)), 'second')}`);
  return shown.join(' ') || '0 days';
}

function showDate(moment: Moment): string {
  const day = dayOf(moment);
  if (!moment.hasTime) return day.toISOString().slice(0, 10);
  const seconds = moment.since1970.floor();
  const clock = new Date(seconds.valueOf() * 1_000).toISOString().slice(0, 19);
  const part = moment.since1970.sub(seconds).roundTo(nanosecond).toString(9);
  return `${clock}${part.slice(1)}Z`;
}
