import { Fraction } from 'fraction.js';
import { ToolError } from '../tool-error.ts';

type Operation = (a: Fraction, b: Fraction) => Fraction;

/** Exact arithmetic for one expression, within bounds on digits and on work. */
export type Arithmetic = ReturnType<typeof createArithmetic>;

const mostDigits = 9_999;

/** About 10,000 decimal digits. */
const mostBits = 33_220;

/** The limit of work for reducing fractions, in products of bits: about half a second. */
const mostWork = 4e9;

function bitsOf(n: bigint): number {
  const digits = n.toString(16);
  return digits.length * 4 + 28 - Math.clz32(Number(`0x${digits[0]}`));
}

const widthOf = ({ n, d }: Fraction): number => Math.max(bitsOf(n), bitsOf(d));

function expectBits(bits: number): void {
  if (bits > mostBits) throw new ToolError('the numbers become too large: at most 10,000 digits');
}

/**
 * Reads digits with `_`, a point and an exponent.
 * @throws ToolError when there are too many.
 */
export function readNumber(written: string): Fraction {
  const [digits = '', exponent = '0'] = written.replaceAll('_', '').toLowerCase().split('e');
  if (Math.abs(Number(exponent)) > mostDigits || digits.length > mostDigits)
    throw new ToolError(`${written.slice(0, 40)} has too many digits: at most ${mostDigits}`);
  return new Fraction(digits).mul(new Fraction(10).pow(Number(exponent)));
}

/** Creates the arithmetic for one expression. Beyond the bounds, which fraction.js lacks, it throws a ToolError. */
export function createArithmetic() {
  let workLeft = mostWork;

  function spend(work: number): void {
    workLeft -= work;
    if (workLeft < 0) throw new ToolError('the calculation takes too long; split it, or round on the way');
  }

  const bounded =
    (compute: Operation, below: 'n' | 'd' = 'd'): Operation =>
    (a, b) => {
      spend((widthOf(a) + widthOf(b)) * (bitsOf(a.d) + bitsOf(b[below])));
      const value = compute(a, b);
      expectBits(widthOf(value));
      return value;
    };

  const add = bounded((a, b) => a.add(b));
  const subtract = bounded((a, b) => a.sub(b));
  const multiply = bounded((a, b) => a.mul(b));

  const divide = bounded((a, b) => {
    if (b.n === 0n) throw new ToolError('division by 0');
    return a.div(b);
  }, 'n');

  /** The remainder of `a` by whole multiples of `b`, with the sign of `b`. */
  const modulo: Operation = (a, b) => subtract(a, multiply(b, divide(a, b).floor()));

  function power(base: Fraction, exponent: Fraction): Fraction {
    if (exponent.d !== 1n) throw new ToolError('an exponent has to be a whole number');
    if (base.n === 0n && exponent.s < 0n) throw new ToolError('division by 0');
    const times = Number(exponent.n);
    expectBits(times * Math.max(1, widthOf(base) - 1));
    spend(times * bitsOf(base.n) * times * (bitsOf(base.d) - 1));
    const value = base.pow(exponent);
    expectBits(widthOf(value));
    return value;
  }

  return { add, subtract, multiply, divide, modulo, power };
}
