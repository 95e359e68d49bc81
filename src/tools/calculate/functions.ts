import { Fraction } from 'fraction.js';
import { counted } from '../../base/counted.ts';
import { ToolError } from '../tool-error.ts';
import { dayOf } from './dates.ts';
import { type Apply, negate, order } from './operations.ts';
import { expectKind, isKind, type Kind, type Kinds, type Value } from './values.ts';

type Call = (given: readonly Value[], apply: Apply, name: string) => Value;

/** Names of a function, the least and the most values that it takes, and what it does with them. */
type FunctionRow = readonly [names: string, least: number, most: number, call: Call];

const mostDecimals = 1_000;

/** A function of any number of values or lists of them. */
function ofValues(names: string, compute: (items: readonly Value[], apply: Apply) => Value): FunctionRow {
  const call: Call = (given, apply, name) => {
    const items = given.flatMap((value) => (isKind(value, 'list') ? value : [value]));
    if (items.length === 0) throw new ToolError(`${name} needs at least one value`);
    return compute(items, apply);
  };
  return [names, 0, Number.POSITIVE_INFINITY, call];
}

/** A function of values of these kinds, of which those after the first `least` may be left out. */
function ofKinds<const K extends readonly Kind[]>(
  names: string,
  kinds: K,
  compute: (...given: { [At in keyof K]: Kinds[K[At]] }) => Value,
  least = kinds.length,
): FunctionRow {
  const call: Call = (given, _, name) => {
    const checked: unknown = given.map((value, at) => expectKind(value, kinds[at]!, name));
    return compute(...(checked as { [At in keyof K]: Kinds[K[At]] }));
  };
  return [names, least, kinds.length, call];
}

const sum = (items: readonly Value[], apply: Apply): Value => items.reduce((total, item) => apply('+', total, item));

const mean = (items: readonly Value[], apply: Apply): Value =>
  apply('/', sum(items, apply), new Fraction(items.length));

function median(items: readonly Value[], apply: Apply): Value {
  const middle = items.toSorted(order).slice(Math.ceil(items.length / 2) - 1, Math.floor(items.length / 2) + 1);
  return middle.length === 1 ? middle[0]! : mean(middle, apply);
}

/** Rounds to so many decimals (below 0: to tens, hundreds …), halves away from 0. */
function round(value: Fraction, decimals = new Fraction(0)): Fraction {
  if (decimals.d !== 1n || decimals.n > mostDecimals)
    throw new ToolError(`round takes a whole number of decimals, at most ${mostDecimals}`);
  return value.roundTo(new Fraction(10).pow(decimals.neg()));
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const table: readonly FunctionRow[] = [
  ofValues('sum', sum),
  ofValues('mean avg average', mean),
  ofValues('median', median),
  ofValues('min', (items) => items.toSorted(order)[0]!),
  ofValues('max', (items) => items.toSorted(order).at(-1)!),
  ofValues('count', (items) => new Fraction(items.length)),
  ofKinds('round', ['number', 'number'], round, 1),
  ofKinds('floor', ['number'], (value) => value.floor()),
  ofKinds('ceil', ['number'], (value) => value.ceil()),
  ['abs', 1, 1, ([value], apply) => [value!, negate(value!, apply)].toSorted(order)[1]!],
  ['mod', 2, 2, ([a, b], apply) => apply('mod', a!, b!)],
  ofKinds('weekday', ['date'], (date) => weekdays[dayOf(date).getUTCDay()]!),
];

const byName = new Map(table.flatMap((row) => row[0].split(' ').map((name) => [name, row] as const)));

/** The names of all functions. */
export const functionNames: readonly string[] = table.map(([names]) => names.split(' ', 1)[0]!);

/** @throws ToolError for an unknown function and for values that it cannot take. */
export function callFunction(name: string, given: readonly Value[], apply: Apply): Value {
  const row = byName.get(name.toLowerCase());
  if (row === undefined) throw new ToolError(`there is no function ${name}; there are ${functionNames.join(', ')}`);
  const [, least, most, call] = row;
  if (given.length < least || given.length > most)
    throw new ToolError(
      `${name} takes ${least === most ? '' : `${least} to `}${counted(most, 'value')}, not ${given.length}`,
    );
  return call(given, apply, name);
}
