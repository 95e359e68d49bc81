import { ToolError } from '../tool-error.ts';
import { dayOf, weekdayOf } from './dates.ts';
import type { Operations } from './operations.ts';
import { type Arithmetic, floor, fraction, negate, type Rational, round, whole } from './rational.ts';
import { expectKind, kindOf, numberOf, textOf, type Value } from './values.ts';

/** What functions work with. */
export interface FunctionMeans {
  readonly arithmetic: Arithmetic;
  readonly operations: Operations;
  /** Called for an inexact result. */
  note(words: string): void;
}

type Call = (given: readonly Value[], means: FunctionMeans) => Value;

const usualDecimals = 30;
const mostDecimals = 1_000;
const mostNumbers = 100_000;

/** Returns the values of a call; the items of a list that is its only value. */
function itemsOf(given: readonly Value[], name: string): readonly Value[] {
  const items = given.flatMap((value) => (value.kind === 'list' ? value.items : [value]));
  if (items.length === 0) throw new ToolError(`${name} needs at least one value`);
  return items;
}

const numberAt = (given: readonly Value[], at: number, name: string): Rational =>
  expectKind(given[at], 'number', name).value;

const textAt = (given: readonly Value[], at: number, name: string): string => expectKind(given[at], 'text', name).value;

function decimalsAt(given: readonly Value[], at: number, usual: number, name: string): number {
  if (given[at] === undefined) return usual;
  const { n, d } = numberAt(given, at, name);
  if (d !== 1n || n < -mostDecimals || n > mostDecimals)
    throw new ToolError(`${name} takes a whole number of decimals, at most ${mostDecimals}`);
  return Number(n);
}

const sum: Call = (given, { operations }) =>
  itemsOf(given, 'sum').reduce((total, item) => operations.apply('+', total, item));

const mean: Call = (given, means) =>
  means.operations.apply('/', sum(given, means), numberOf(whole(BigInt(itemsOf(given, 'mean').length))));

const sorted = (given: readonly Value[], name: string, { operations }: FunctionMeans): Value[] =>
  [...itemsOf(given, name)].sort(operations.order);

const median: Call = (given, means) => {
  const items = sorted(given, 'median', means);
  const middle = items.slice(Math.ceil(items.length / 2) - 1, Math.floor(items.length / 2) + 1);
  return middle.length === 1 ? middle[0]! : mean(middle, means);
};

const squareRoot: Call = (given, { arithmetic, note }) => {
  const decimals = Math.max(0, decimalsAt(given, 1, usualDecimals, 'sqrt'));
  const { value, isExact } = arithmetic.squareRoot(numberAt(given, 0, 'sqrt'), decimals);
  if (!isExact) note(`sqrt is rounded to ${decimals} decimals`);
  return numberOf(value);
};

const byWhole =
  (name: string, change: (value: Rational) => bigint): Call =>
  (given) =>
    numberOf(whole(change(numberAt(given, 0, name))));

function absolute(given: readonly Value[], { operations }: FunctionMeans): Value {
  const value = given[0]!;
  if (value.kind === 'number') return numberOf(value.value.n < 0n ? negate(value.value) : value.value);
  if (value.kind !== 'duration') throw new ToolError(`abs needs a number or a duration, not ${kindOf(value)}`);
  return operations.order(value, operations.apply('-', value, value)) < 0 ? operations.negate(value) : value;
}

const counting =
  (name: string, count: (text: string) => number): Call =>
  (given) =>
    numberOf(whole(BigInt(count(textAt(given, 0, name)))));

function countOccurrences(text: string, part: string): number {
  if (part === '') throw new ToolError('occurrences needs a part that is not empty: occurrences(text, "part")');
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** Counts lines: a line feed ends one, and text after the last line feed is one more. */
const countLines = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);

const writtenNumber = /(?<![\p{L}\d_.])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d\p{L}_])/gu;

/** Finds the numbers in a text, with commas between thousands. */
function numbersIn(text: string): Value {
  const found = [...text.matchAll(writtenNumber)];
  if (found.length > mostNumbers) throw new ToolError(`there are more than ${mostNumbers} numbers in the text`);
  return {
    kind: 'list',
    items: found.map(([written]) => numberOf(readDecimal(written.replaceAll(',', '').replace('−', '-')))),
  };
}

/** Reads digits with a sign and a point as an exact number. */
export function readDecimal(written: string): Rational {
  const [digits, decimals = ''] = written.split('.');
  return fraction(BigInt(`${digits || '0'}${decimals}`.replace('+', '')), 10n ** BigInt(decimals.length));
}

function partOfDate(name: string, part: (day: Date) => number): Call {
  return (given) => numberOf(whole(BigInt(part(dayOf(expectKind(given[0], 'date', name))))));
}

/** Every function with the least and the most values that it takes. */
const table: Readonly<Record<string, readonly [least: number, most: number, call: Call]>> = {
  sum: [1, Number.POSITIVE_INFINITY, sum],
  mean: [1, Number.POSITIVE_INFINITY, mean],
  median: [1, Number.POSITIVE_INFINITY, median],
  min: [1, Number.POSITIVE_INFINITY, (given, means) => sorted(given, 'min', means)[0]!],
  max: [1, Number.POSITIVE_INFINITY, (given, means) => sorted(given, 'max', means).at(-1)!],
  count: [1, Number.POSITIVE_INFINITY, (given) => numberOf(whole(BigInt(itemsOf(given, 'count').length)))],
  round: [1, 2, (given) => numberOf(round(numberAt(given, 0, 'round'), decimalsAt(given, 1, 0, 'round')))],
  floor: [1, 1, byWhole('floor', floor)],
  ceil: [1, 1, byWhole('ceil', (value) => -floor(negate(value)))],
  abs: [1, 1, absolute],
  sqrt: [1, 2, squareRoot],
  mod: [2, 2, ([a, b], { operations }) => operations.apply('mod', a!, b!)],
  weekday: [1, 1, (given) => textOf(weekdayOf(expectKind(given[0], 'date', 'weekday')))],
  year: [1, 1, partOfDate('year', (day) => day.getUTCFullYear())],
  month: [1, 1, partOfDate('month', (day) => day.getUTCMonth() + 1)],
  day: [1, 1, partOfDate('day', (day) => day.getUTCDate())],
  characters: [1, 1, counting('characters', (text) => [...text].length)],
  words: [1, 1, counting('words', (text) => text.match(/\S+/g)?.length ?? 0)],
  lines: [1, 1, counting('lines', countLines)],
  occurrences: [
    2,
    2,
    (given) =>
      numberOf(whole(BigInt(countOccurrences(textAt(given, 0, 'occurrences'), textAt(given, 1, 'occurrences'))))),
  ],
  numbers: [1, 1, (given) => numbersIn(textAt(given, 0, 'numbers'))],
};

/** Other names of functions. */
const aliases: Readonly<Record<string, string>> = {
  avg: 'mean',
  average: 'mean',
  chars: 'characters',
  length: 'characters',
};

/** The names of all functions. */
export const functionNames: readonly string[] = Object.keys(table);

/** Calls a function by name. Throws ToolError for an unknown function and for values that it cannot take. */
export function callFunction(name: string, given: readonly Value[], means: FunctionMeans): Value {
  const lower = name.toLowerCase();
  const known = Object.hasOwn(aliases, lower) ? aliases[lower]! : lower;
  if (!Object.hasOwn(table, known))
    throw new ToolError(`there is no function ${name}; there are ${functionNames.join(', ')}`);
  const [least, most, call] = table[known]!;
  if (given.length < least || given.length > most)
    throw new ToolError(`${known} takes ${least === most ? least : `${least} to ${most}`} values, not ${given.length}`);
  return call(given, means);
}
