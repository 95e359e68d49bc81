import { Fraction } from 'fraction.js';
import { ToolError } from '../tool-error.ts';
import { type Arithmetic, createArithmetic } from './arithmetic.ts';
import { knownDate, secondsOfDay, secondsOfMonths } from './dates.ts';
import { type Duration, isKind, type Kind, type Kinds, kindOf, type Moment, nameKind, type Value } from './values.ts';

/** Applies an operator. Throws a ToolError where it means nothing between such values. */
export type Apply = (sign: string, left: Value, right: Value) => Value;

type Binary = (left: Value, right: Value) => Value;

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
};

/** The part that decides, where durations have only one: that of seconds, or of months. */
function comparableParts(left: Duration, right: Duration): [Fraction, Fraction] {
  if (left.months.n === 0n && right.months.n === 0n) return [left.seconds, right.seconds];
  if (left.seconds.n === 0n && right.seconds.n === 0n) return [left.months, right.months];
  throw new ToolError('months have no fixed length: they cannot be compared with, or expressed in, days and the like');
}

/** Below 0, 0 or above 0. @throws ToolError for values that cannot be compared. */
export function order(left: Value, right: Value): number {
  if (isKind(left, 'number') && isKind(right, 'number')) return left.compare(right);
  if (isKind(left, 'text') && isKind(right, 'text')) return left < right ? -1 : Number(left > right);
  if (isKind(left, 'date') && isKind(right, 'date')) return left.since1970.compare(right.since1970);
  if (!isKind(left, 'duration') || !isKind(right, 'duration'))
    throw new ToolError(
      `${nameKind(left)} and ${nameKind(right)} cannot be compared: only two numbers, dates or durations`,
    );
  const [a, b] = comparableParts(left, right);
  return a.compare(b);
}

/** @throws ToolError for a value that has no opposite. */
export function negate(value: Value, apply: Apply): Value {
  if (isKind(value, 'number') || isKind(value, 'duration')) return apply('*', new Fraction(-1), value);
  throw new ToolError(`- before ${nameKind(value)} means nothing`);
}

const on = <L extends Kind, R extends Kind>(
  left: L,
  sign: string,
  right: R,
  compute: (a: Kinds[L], b: Kinds[R]) => Value,
): [string, Binary] => [`${left} ${sign} ${right}`, compute as Binary];

/** What operators do between two kinds of values. */
function createTable({ add, subtract, multiply, divide, modulo, power }: Arithmetic): ReadonlyMap<string, Binary> {
  const both =
    (compute: (a: Fraction, b: Fraction) => Fraction) =>
    (a: Duration, b: Duration): Duration => ({
      months: compute(a.months, b.months),
      seconds: compute(a.seconds, b.seconds),
    });
  const alike = (part: Fraction): Duration => ({ months: part, seconds: part });
  const later = (date: Moment, { months, seconds }: Duration): Moment =>
    knownDate({
      since1970: add(add(date.since1970, new Fraction(secondsOfMonths(date, months))), seconds),
      hasTime: date.hasTime || !seconds.divisible(secondsOfDay),
    });
  return new Map([
    on('number', '+', 'number', add),
    on('number', '-', 'number', subtract),
    on('number', '*', 'number', multiply),
    on('number', '/', 'number', divide),
    on('number', 'mod', 'number', modulo),
    on('number', '^', 'number', power),
    on('duration', '+', 'duration', both(add)),
    on('duration', '-', 'duration', both(subtract)),
    on('duration', '*', 'number', (a, b) => both(multiply)(a, alike(b))),
    on('number', '*', 'duration', (a, b) => both(multiply)(b, alike(a))),
    on('duration', '/', 'number', (a, b) => both(divide)(a, alike(b))),
    on('duration', '/', 'duration', (a, b) => divide(...comparableParts(a, b))),
    on('date', '-', 'date', (a, b) => ({ months: new Fraction(0), seconds: subtract(a.since1970, b.since1970) })),
    on('date', '+', 'duration', later),
    on('duration', '+', 'date', (a, b) => later(b, a)),
    on('date', '-', 'duration', (a, b) => later(a, both(multiply)(b, alike(new Fraction(-1))))),
  ]);
}

/** Creates the operators for one expression, which share its bound on work. */
export function createOperators(): Apply {
  const table = createTable(createArithmetic());
  return (sign, left, right) => {
    const comparison = comparisons[sign];
    if (comparison !== undefined) return comparison(order(left, right));
    const compute = table.get(`${kindOf(left)} ${sign} ${kindOf(right)}`);
    if (compute === undefined) throw new ToolError(`${nameKind(left)} ${sign} ${nameKind(right)} means nothing`);
    return compute(left, right);
  };
}
