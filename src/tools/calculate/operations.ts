import { ToolError } from '../tool-error.ts';
import { addDuration } from './dates.ts';
import { type Arithmetic, compare, negate, type Rational, whole } from './rational.ts';
import { type Duration, kindOf, numberOf, truthOf, type Value } from './values.ts';

const zero = whole(0n);

/** The operators, for values of all kinds. */
export interface Operations {
  /** @throws ToolError where the sign means nothing between such values. */
  apply(sign: string, left: Value, right: Value): Value;
  negate(value: Value): Value;
  /** Below 0, 0 or above 0. @throws ToolError for values that cannot be compared. */
  order(left: Value, right: Value): number;
}

const duration = (months: Rational, seconds: Rational): Duration => ({ kind: 'duration', months, seconds });

/** Changes both parts of a duration, months and seconds, alike. */
type Change = (part: Rational) => Rational;

const changed = ({ months, seconds }: Duration, change: Change): Duration => duration(change(months), change(seconds));

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
};

function unfit(sign: string, left: Value, right: Value): ToolError {
  return new ToolError(`${kindOf(left)} ${sign} ${kindOf(right)} means nothing`);
}

/** Returns the comparable parts of two durations: seconds, or months. Throws ToolError where both kinds occur. */
function comparableParts(left: Duration, right: Duration): [Rational, Rational] {
  if (left.months.n === 0n && right.months.n === 0n) return [left.seconds, right.seconds];
  if (left.seconds.n === 0n && right.seconds.n === 0n) return [left.months, right.months];
  throw new ToolError('months have no fixed length: they cannot be compared with, or expressed in, days and the like');
}

/** Creates operations that share one bound on work. */
export function createOperations(arithmetic: Arithmetic): Operations {
  const { add, subtract, multiply, divide } = arithmetic;
  const numeric: Readonly<Record<string, (a: Rational, b: Rational) => Rational>> = {
    '+': add,
    '-': subtract,
    '*': multiply,
    '/': divide,
    '^': arithmetic.power,
    mod: arithmetic.modulo,
  };

  function order(left: Value, right: Value): number {
    if (left.kind === 'number' && right.kind === 'number') return compare(left.value, right.value);
    if (left.kind === 'date' && right.kind === 'date') return compare(left.seconds, right.seconds);
    if (left.kind === 'duration' && right.kind === 'duration') return compare(...comparableParts(left, right));
    if (left.kind === 'text' && right.kind === 'text')
      return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
    throw new ToolError(`${kindOf(left)} and ${kindOf(right)} cannot be compared`);
  }

  function withDurations(sign: string, left: Duration, right: Value): Value {
    if (right.kind === 'duration' && (sign === '+' || sign === '-')) {
      const change = sign === '+' ? add : subtract;
      return duration(change(left.months, right.months), change(left.seconds, right.seconds));
    }
    if (right.kind === 'duration' && sign === '/') return numberOf(divide(...comparableParts(left, right)));
    if (right.kind === 'number' && sign === '*') return changed(left, (part) => multiply(part, right.value));
    if (right.kind === 'number' && sign === '/') return changed(left, (part) => divide(part, right.value));
    throw unfit(sign, left, right);
  }

  function apply(sign: string, left: Value, right: Value): Value {
    const comparison = comparisons[sign];
    if (comparison !== undefined) return truthOf(comparison(order(left, right)));
    const operation = numeric[sign];
    if (left.kind === 'number' && right.kind === 'number' && operation)
      return numberOf(operation(left.value, right.value));
    if (left.kind === 'duration')
      return right.kind === 'date' && sign === '+'
        ? addDuration(right, left, arithmetic)
        : withDurations(sign, left, right);
    if (left.kind === 'number' && right.kind === 'duration' && sign === '*') return withDurations(sign, right, left);
    if (left.kind === 'date' && right.kind === 'date' && sign === '-')
      return duration(zero, subtract(left.seconds, right.seconds));
    if (left.kind === 'date' && right.kind === 'duration' && (sign === '+' || sign === '-'))
      return addDuration(left, sign === '+' ? right : changed(right, negate), arithmetic);
    throw unfit(sign, left, right);
  }

  return {
    apply,
    order,
    negate(value) {
      if (value.kind === 'number') return numberOf(negate(value.value));
      if (value.kind === 'duration') return changed(value, negate);
      throw new ToolError(`- before ${kindOf(value)} means nothing`);
    },
  };
}
