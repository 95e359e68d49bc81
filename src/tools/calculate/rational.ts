import { ToolError } from '../tool-error.ts';

/** An exact number: a fraction in its lowest terms, with a denominator above 0. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** Exact arithmetic within a bound on digits and on work. Every function throws a ToolError beyond it. */
export interface Arithmetic {
  add(a: Rational, b: Rational): Rational;
  subtract(a: Rational, b: Rational): Rational;
  multiply(a: Rational, b: Rational): Rational;
  divide(a: Rational, b: Rational): Rational;
  /** The remainder of `a` by whole multiples of `b`, with the sign of `b`. */
  modulo(a: Rational, b: Rational): Rational;
  /** The exponent has to be a whole number. */
  power(a: Rational, b: Rational): Rational;
  /** Returns the square root, rounded to `decimals` where it is irrational. */
  squareRoot(a: Rational, decimals: number): { readonly value: Rational; readonly isExact: boolean };
}

/** Bits of a number, at most: about 10,000 decimal digits. */
const mostBits = 33_220;

/** The limit of work for reducing fractions, in products of bits: about half a second. */
const mostWork = 4e9;

export const whole = (n: bigint): Rational => ({ n, d: 1n });

export const isWhole = ({ d }: Rational): boolean => d === 1n;

export const negate = ({ n, d }: Rational): Rational => ({ n: -n, d });

/** Compares two numbers: below 0, 0 or above 0, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the greatest whole number that is not above a number. */
export function floor({ n, d }: Rational): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

/** Rounds to a number of decimals (below 0: to tens, hundreds …), halves away from 0. */
export function round({ n, d }: Rational, decimals: number): Rational {
  const scale = 10n ** BigInt(Math.abs(decimals));
  const [top, bottom] = decimals >= 0 ? [n * scale, d] : [n, d * scale];
  const size = (2n * sizeOf(top) + bottom) / (2n * bottom);
  const rounded = top < 0n ? -size : size;
  return decimals >= 0 ? fraction(rounded, scale) : whole(rounded * scale);
}

const bitsOf = (n: bigint): number => n.toString(16).length * 4;

const sizeOf = (n: bigint): bigint => (n < 0n ? -n : n);

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [sizeOf(a), sizeOf(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Returns a fraction in its lowest terms; `d` is not 0. */
export function fraction(n: bigint, d: bigint): Rational {
  const divisor = greatestDivisor(n, d);
  const sign = d < 0n ? -1n : 1n;
  return { n: (sign * n) / divisor, d: (sign * d) / divisor };
}

const tooLarge = (): ToolError => new ToolError('the numbers become too large: at most 10,000 digits');

/** Creates arithmetic for one expression, with its own bound on work. */
export function createArithmetic(): Arithmetic {
  let workLeft = mostWork;

  function reduce(n: bigint, d: bigint): Rational {
    const [top, bottom] = [bitsOf(n), bitsOf(d)];
    if (top > mostBits || bottom > mostBits) throw tooLarge();
    if (d === 1n) return { n, d };
    workLeft -= top * bottom;
    if (workLeft < 0) throw new ToolError('the calculation takes too long; split it, or round on the way');
    return fraction(n, d);
  }

  function divide(a: Rational, b: Rational): Rational {
    if (b.n === 0n) throw new ToolError('division by 0');
    return reduce(a.n * b.d, a.d * b.n);
  }

  function power(a: Rational, { n: exponent, d }: Rational): Rational {
    if (d !== 1n) throw new ToolError('an exponent has to be a whole number; for a square root write sqrt(x)');
    const size = sizeOf(exponent);
    const bits = Math.max(bitsOf(a.n), bitsOf(a.d)) - 4;
    if (Number(size) * Math.max(1, bits) > mostBits) throw tooLarge();
    const raised = { n: a.n ** size, d: a.d ** size };
    return exponent < 0n ? divide(whole(1n), raised) : raised;
  }

  return {
    add: (a, b) => reduce(a.n * b.d + b.n * a.d, a.d * b.d),
    subtract: (a, b) => reduce(a.n * b.d - b.n * a.d, a.d * b.d),
    multiply: (a, b) => reduce(a.n * b.n, a.d * b.d),
    divide,
    modulo(a, b) {
      const times = floor(divide(a, b));
      return reduce(a.n * b.d - times * b.n * a.d, a.d * b.d);
    },
    power,
    squareRoot,
  };
}

function squareRoot({ n, d }: Rational, decimals: number) {
  if (n < 0n) throw new ToolError('there is no square root of a number below 0');
  const [top, bottom] = [wholeRoot(n), wholeRoot(d)];
  if (top * top === n && bottom * bottom === d) return { value: { n: top, d: bottom }, isExact: true };
  // One more decimal than wanted decides the last one.
  const scale = 10n ** BigInt(decimals + 1);
  const root = fraction(wholeRoot((n * scale * scale) / d), scale);
  return { value: round(root, decimals), isExact: false };
}

/** Returns the greatest whole number whose square is not above `n`, by Newton's method. */
function wholeRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(bitsOf(n) / 2));
  for (let next = (root + n / root) >> 1n; next < root; next = (root + n / root) >> 1n) root = next;
  return root;
}
