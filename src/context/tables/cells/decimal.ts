/** An exact decimal number: `units` divided by 10 to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the decimal point, 0 or more. */
  readonly scale: number;
}

export const zero: Decimal = { units: 0n, scale: 0 };

/** Largest exponent that is read; a larger one would need numbers of absurd length. */
const mostExponent = 400;
const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/** Reads `-12.50` or `1.2e3`; null for anything else. */
export function readDecimal(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = written.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(Number(exponent)) > mostExponent) return null;
  const units = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns the units of a number at a scale that is at least its own. */
const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint =>
  scale === wanted ? units : units * 10n ** BigInt(wanted - scale);

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** Compares two numbers: negative where the first is less, 0 where they are equal. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [unitsAt(a, scale), unitsAt(b, scale)];
  return left < right ? -1 : Number(left > right);
}

/** Additional digits of a quotient. */
const moreDigits = 2;

/** Divides with two more digits than the number has; rounds halves away from 0 and removes trailing zeros. */
export function divide(
  { units, scale }: Decimal,
  count: number,
): { readonly quotient: Decimal; readonly isExact: boolean } {
  const divisor = BigInt(count);
  const dividend = units * 10n ** BigInt(moreDigits);
  const half = dividend < 0n ? -(divisor / 2n) : divisor / 2n;
  const quotient = trim({ units: (dividend + half) / divisor, scale: scale + moreDigits }, scale);
  return { quotient, isExact: dividend % divisor === 0n };
}

/** Removes trailing zeros, but keeps `fewest` digits after the point. */
function trim({ units, scale }: Decimal, fewest: number): Decimal {
  let [rest, digits] = [units, scale];
  while (digits > fewest && rest % 10n === 0n) [rest, digits] = [rest / 10n, digits - 1];
  return { units: rest, scale: digits };
}

/** Formats a number with every digit and commas between thousands: `-1,234.50`. */
export function showDecimal({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}
