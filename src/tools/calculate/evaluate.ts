import { Fraction } from 'fraction.js';
import { ToolError } from '../tool-error.ts';
import { readNumber } from './arithmetic.ts';
import { parseDate, unitOf } from './dates.ts';
import { callFunction } from './functions.ts';
import { type Apply, createOperators, negate } from './operations.ts';
import { type Token, tokensOf } from './tokens.ts';
import { expectKind, isKind, type Value } from './values.ts';

/** An expression that is being read, and computed as it is read. */
interface Reading {
  readonly tokens: readonly Token[];
  readonly apply: Apply;
  /** The number of the next token. */
  next: number;
  depth: number;
}

const deepest = 100;

/** The operators by how tightly they bind, from 1 on. */
const levels = ['< <= > >= = !=', 'in to as', '+ -', '* / % mod', '^'];
const powers = new Map(levels.flatMap((signs, at) => signs.split(' ').map((sign) => [sign, at + 1] as const)));
const conversion = 2;
const exponent = 5;
/** Of a unit or a percent sign behind a number. */
const suffix = 6;

/**
 * Computes an expression: exact, without running any code, within bounds on digits, depth and work.
 * @throws ToolError with what is wrong in it.
 */
export function evaluate(expression: string): Value {
  const reading = { tokens: tokensOf(expression), apply: createOperators(), next: 0, depth: 0 };
  const value = read(reading, 0);
  const { next } = reading;
  if (reading.tokens[next]!.kind !== 'end') throw unexpected(reading.tokens[next]!, 'it does not belong there');
  return value;
}

/** Reads up to an operator that binds less tightly than `least` (Pratt's method). */
function read(reading: Reading, least: number): Value {
  let value = readOperand(reading);
  for (let most = suffix; ; ) {
    const power = powerOf(reading, value);
    if (power < least || power > most) return value;
    value = readOperator(reading, value, power);
    most = power;
  }
}

/** Reads one level deeper. */
function readWithin(reading: Reading, least: number): Value {
  if (++reading.depth > deepest) throw new ToolError(`the expression is nested more than ${deepest} deep`);
  const value = read(reading, least);
  reading.depth--;
  return value;
}

/** How tightly the next token binds to the value before it; below 0 where it does not. */
function powerOf({ tokens, next }: Reading, value: Value): number {
  const { kind, text } = tokens[next]!;
  if (kind !== 'name' && kind !== 'sign') return -1;
  const isUnit = kind === 'name' && isKind(value, 'number') && unitOf(text) !== null;
  return isUnit || isPercent(tokens, next) ? suffix : (powers.get(text) ?? -1);
}

/** A % with no operand behind it is a percentage and no division. */
function isPercent(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.text !== '%') return false;
  const { kind, text } = tokens[at + 1]!;
  if (text === '-' || text === '+')
    throw unexpected(tokens[at]!, 'it can be meant in two ways: write mod(a, b), or (10%) - 5');
  return kind === 'end' || (kind === 'name' && powers.has(text)) || (kind === 'sign' && text !== '(');
}

function readOperator(reading: Reading, left: Value, power: number): Value {
  const { apply } = reading;
  const { text: sign } = reading.tokens[reading.next++]!;
  if (power === suffix) return sign === '%' ? apply('/', left, new Fraction(100)) : apply('*', left, unitOf(sign)!);
  if (power === exponent) return apply(sign, left, readWithin(reading, exponent));
  if (power !== conversion) return apply(sign === '%' ? 'mod' : sign, left, read(reading, power + 1));
  const { kind, text: name } = reading.tokens[reading.next++]!;
  const unit = kind === 'name' ? unitOf(name) : null;
  if (unit === null) throw new ToolError(`${name} is no unit of time; write for example: 90 minutes in hours`);
  return apply('/', expectKind(left, 'duration', `in ${name}`), unit);
}

function takeSign(reading: Reading, ...signs: readonly string[]): string | null {
  const { kind, text } = reading.tokens[reading.next]!;
  if (kind !== 'sign' || !signs.includes(text)) return null;
  reading.next++;
  return text;
}

/** Reads a value with its signs. */
function readOperand(reading: Reading): Value {
  let signs = 0;
  let isNegative = false;
  for (let sign = takeSign(reading, '+', '-'); sign !== null; sign = takeSign(reading, '+', '-')) {
    signs++;
    if (sign === '-') isNegative = !isNegative;
  }
  if (signs === 0) return readValue(reading);
  const value = read(reading, exponent);
  return isNegative ? negate(value, reading.apply) : value;
}

function readValue(reading: Reading): Value {
  const token = reading.tokens[reading.next++]!;
  if (token.kind === 'number') return readNumber(token.text);
  if (token.kind === 'date') return parseDate(token.text);
  if (token.kind === 'name') return readName(reading, token);
  if (token.text === '[') return readValues(reading, ']');
  if (token.text !== '(') throw unexpected(token, 'a value is missing');
  const value = readWithin(reading, 0);
  const after = reading.tokens[reading.next]!;
  if (takeSign(reading, ')') !== null) return value;
  throw unexpected(after, after.text === ',' ? 'write numbers without commas: 1234567 or 1_234_567' : ') is missing');
}

function readName(reading: Reading, token: Token): Value {
  const { text: name } = token;
  if (takeSign(reading, '(') !== null) return callFunction(name, readValues(reading, ')'), reading.apply);
  if (name === 'true' || name === 'false') return name === 'true';
  const isNow = /^(?:today|now)$/i.test(name);
  throw unexpected(token, isNow ? 'the time of day is not known here; write a date' : 'it is no value');
}

/** Reads values up to a closing bracket. */
function readValues(reading: Reading, closing: string): Value[] {
  const items: Value[] = [];
  if (takeSign(reading, closing) !== null) return items;
  do items.push(readWithin(reading, 0));
  while (takeSign(reading, ',') !== null);
  if (takeSign(reading, closing) !== null) return items;
  throw unexpected(reading.tokens[reading.next]!, `${closing} is missing`);
}

function unexpected({ text, at, kind }: Token, why: string): ToolError {
  const shown = kind === 'end' ? 'the end' : `${JSON.stringify(text.slice(0, 40))} (character ${at + 1})`;
  const comma = text === ',' && kind === 'sign' ? ' (numbers are written without commas: 1234567)' : '';
  return new ToolError(`cannot read the expression at ${shown}: ${why}${comma}`);
}
