import { dayOf, secondsOfDay } from './dates.ts';
import { compare, floor, isWhole, negate, type Rational, round, whole } from './rational.ts';
import type { Duration, Moment, Value } from './values.ts';

const zero = whole(0n);

/** Shown decimals of an infinite fraction, after the first digit that is not 0. */
const shownDecimals = 20;
const mostDecimals = 100;
const longestFraction = 60;
const shownItems = 100;

/** Formats a value so that a model can use it further. */
export function showValue(value: Value): string {
  switch (value.kind) {
    case 'number':
      return showNumber(value.value);
    case 'truth':
      return String(value.value);
    case 'text':
      return value.value;
    case 'list':
      return showList(value.items);
    case 'duration':
      return showDuration(value);
    case 'date':
      return showDate(value);
  }
}

function showList(items: readonly Value[]): string {
  const shown = items.slice(0, shownItems).map(showValue).join(', ');
  return items.length > shownItems ? `[${shown}, …] (${items.length} values)` : `[${shown}]`;
}

function showNumber(value: Rational): string {
  const decimals = decimalsOf(value.d);
  if (decimals !== null) return toDecimals(value, decimals);
  const fraction = `${value.n}/${value.d}`;
  const places = Math.max(shownDecimals, shownDecimals + String(value.d).length - String(value.n).length);
  const rounded = `≈ ${toDecimals(round(value, places), places)}`;
  return fraction.length <= longestFraction ? `${fraction} ${rounded}` : rounded;
}

/**
 * Returns how many decimals a fraction with that denominator has; null when there are infinitely many, or too many to
 * show.
 */
function decimalsOf(denominator: bigint): number | null {
  let rest = denominator;
  let decimals = 0;
  for (; rest !== 1n && decimals <= mostDecimals; decimals++) {
    const divisor = rest % 10n === 0n ? 10n : rest % 5n === 0n ? 5n : rest % 2n === 0n ? 2n : 0n;
    if (divisor === 0n) return null;
    rest /= divisor;
  }
  return rest === 1n ? decimals : null;
}

/** Formats a number with at most `decimals` decimals. */
function toDecimals({ n, d }: Rational, decimals: number): string {
  const digits = String(((n < 0n ? -n : n) * 10n ** BigInt(decimals)) / d).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const sign = n < 0n ? '-' : '';
  return `${sign}${digits.slice(0, point)}${decimals > 0 ? `.${digits.slice(point)}` : ''}`;
}

const parts: readonly (readonly [unit: string, seconds: bigint])[] = [
  ['day', 86_400n],
  ['hour', 3_600n],
  ['minute', 60n],
];

const withUnit = (count: string, unit: string): string => `${count} ${unit}${count === '1' ? '' : 's'}`;

function showDuration({ months, seconds }: Duration): string {
  const sign = compare(seconds, zero) < 0 ? '-' : '';
  const shown: string[] = [];
  if (months.n !== 0n) shown.push(withUnit(showNumber(months), 'month'));
  let left = sign === '' ? seconds : negate(seconds);
  for (const [unit, size] of parts) {
    const count = floor({ n: left.n, d: left.d * size });
    if (count > 0n) shown.push(`${sign}${withUnit(String(count), unit)}`);
    left = { n: left.n - count * size * left.d, d: left.d };
  }
  if (left.n > 0n) shown.push(`${sign}${withUnit(showNumber(left), 'second')}`);
  return shown.join(' ') || (months.n === 0n ? '0 days' : '');
}

function showDate(moment: Moment): string {
  const day = dayOf(moment).toISOString().slice(0, 10);
  if (!moment.hasTime) return day;
  const time = secondsOfDay(moment);
  const total = floor(time);
  const rest = { n: time.n - total * time.d, d: time.d };
  const clock = [total / 3_600n, (total / 60n) % 60n, total % 60n]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const behind = isWhole(rest) ? '' : toDecimals(round(rest, 9), 9).slice(1).replace(/0+$/, '');
  return `${day}T${clock}${behind}Z`;
}
