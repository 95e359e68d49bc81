import { ToolError } from '../tool-error.ts';
import { parseDate, unitOf } from './dates.ts';
import { callFunction, type FunctionMeans, readDecimal } from './functions.ts';
import { createOperations } from './operations.ts';
import { createArithmetic, fraction, type Rational, whole } from './rational.ts';
import { type Token, tokensOf } from './tokens.ts';
import { expectKind, numberOf, textOf, truthOf, type Value } from './values.ts';

/** The value of an expression. */
export interface Evaluation {
  readonly value: Value;
  /** What is inexact in it, and why; empty when the value is exact. */
  readonly notes: readonly string[];
}

const deepest = 100;
const mostExponent = 9_999;
const comparisons = new Set(['<', '<=', '>', '>=', '=', '!=']);

/**
 * Computes an expression: exact, without running any code, within bounds on digits, depth and work.
 * @param text the value of the name `text`; null: none.
 * @throws ToolError with the problem in it.
 */
export function evaluate(expression: string, text: string | null): Evaluation {
  const notes = new Set<string>();
  const arithmetic = createArithmetic();
  const means = {
    arithmetic,
    operations: createOperations(arithmetic),
    note: (words: string) => void notes.add(words),
  };
  const value = createParser(tokensOf(expression), text, means)();
  return { value, notes: [...notes] };
}

/** A parser by recursive descent, one function for each level of binding, that computes as it reads. */
function createParser(tokens: readonly Token[], text: string | null, means: FunctionMeans): () => Value {
  const { apply, negate } = means.operations;
  let next = 0;
  let depth = 0;

  const peek = (): Token => tokens[next]!;

  function takeSign(...signs: readonly string[]): string | null {
    const { kind, text: sign } = peek();
    if ((kind !== 'sign' && kind !== 'name') || !signs.includes(sign)) return null;
    next++;
    return sign;
  }

  function expectSign(sign: string): void {
    if (takeSign(sign) === null) throw unexpected(peek(), `${sign} is missing`);
  }

  function all(): Value {
    const value = comparison();
    if (peek().kind !== 'end') throw unexpected(peek(), 'it does not belong there');
    return value;
  }

  function deeper(read: () => Value): Value {
    if (++depth > deepest) throw new ToolError(`the expression is nested more than ${deepest} deep`);
    const value = read();
    depth--;
    return value;
  }

  function comparison(): Value {
    const left = conversion();
    const sign = takeSign(...comparisons);
    if (sign === null) return left;
    const value = apply(sign, left, conversion());
    if (comparisons.has(peek().text)) throw unexpected(peek(), 'only two values can be compared');
    return value;
  }

  function conversion(): Value {
    const value = sum();
    if (takeSign('in', 'to', 'as') === null) return value;
    const { kind, text: name } = tokens[next++]!;
    const unit = kind === 'name' ? unitOf(name) : null;
    if (unit === null) throw new ToolError(`${name} is no unit of time; write for example: 90 minutes in hours`);
    return apply('/', expectKind(value, 'duration', `in ${name}`), unit);
  }

  function sum(): Value {
    let value = product();
    for (let sign = takeSign('+', '-'); sign !== null; sign = takeSign('+', '-')) value = apply(sign, value, product());
    return value;
  }

  function product(): Value {
    let value = signed();
    for (;;) {
      const sign = takeSign('*', '/', '%', 'mod', 'of');
      if (sign === null) return value;
      value = apply(sign === '%' ? 'mod' : sign === 'of' ? '*' : sign, value, signed());
    }
  }

  function signed(): Value {
    let isNegative = false;
    for (let sign = takeSign('+', '-'); sign !== null; sign = takeSign('+', '-'))
      isNegative = isNegative !== (sign === '-');
    const value = power();
    return isNegative ? negate(value) : value;
  }

  function power(): Value {
    const base = withUnit();
    return takeSign('^') === null ? base : apply('^', base, deeper(signed));
  }

  function withUnit(): Value {
    let value = primary();
    for (;;) {
      const { kind, text: name } = peek();
      const unit = kind === 'name' && value.kind === 'number' ? unitOf(name) : null;
      if (unit !== null) {
        next++;
        value = apply('*', value, unit);
      } else if (isPercent()) {
        next++;
        value = apply('/', value, numberOf(whole(100n)));
      } else return value;
    }
  }

  /** Whether a % is a percentage instead of a division: no operand follows. */
  function isPercent(): boolean {
    if (peek().kind !== 'sign' || peek().text !== '%') return false;
    const after = tokens[next + 1]!;
    if (after.text === '-' || after.text === '+')
      throw unexpected(peek(), 'it can be meant in two ways: write mod(a, b), or (10%) - 5');
    const isWord = after.kind === 'name' && ['of', 'mod', 'in', 'to', 'as'].includes(after.text);
    return after.kind === 'end' || isWord || (after.kind === 'sign' && after.text !== '(');
  }

  function primary(): Value {
    const token = tokens[next++]!;
    if (token.kind === 'number') return numberOf(readNumber(token.text));
    if (token.kind === 'date') return parseDate(token.text);
    if (token.kind === 'text') return textOf(token.text);
    if (token.kind === 'name') return named(token);
    if (token.text === '[' && token.kind === 'sign') return { kind: 'list', items: values(']') };
    if (token.text !== '(' || token.kind !== 'sign') throw unexpected(token, 'a value is missing');
    const value = deeper(comparison);
    if (peek().text === ',') throw unexpected(peek(), 'write numbers without commas: 1234567 or 1_234_567');
    expectSign(')');
    return value;
  }

  function named(token: Token): Value {
    if (takeSign('(') !== null) return callFunction(token.text, values(')'), means);
    if (token.text === 'true' || token.text === 'false') return truthOf(token.text === 'true');
    if (token.text === 'text' && text !== null) return textOf(text);
    if (token.text === 'text') throw new ToolError('give the text that is meant as "text" beside the expression');
    const hint = /^(?:today|now)$/i.test(token.text)
      ? 'the time of day is not known here; write a date'
      : 'it is no value';
    throw unexpected(token, hint);
  }

  /** Reads values up to a closing bracket. */
  function values(closing: string): Value[] {
    const items: Value[] = [];
    if (takeSign(closing) !== null) return items;
    do items.push(deeper(comparison));
    while (takeSign(',') !== null);
    expectSign(closing);
    return items;
  }

  return all;
}

function unexpected({ text, at, kind }: Token, why: string): ToolError {
  const shown = kind === 'end' ? 'the end' : `${JSON.stringify(text.slice(0, 40))} (character ${at + 1})`;
  const comma = text === ',' && kind === 'sign' ? ' (numbers are written without commas: 1234567)' : '';
  return new ToolError(`cannot read the expression at ${shown}: ${why}${comma}`);
}

function readNumber(written: string): Rational {
  const [digits, exponent = '0'] = written.replaceAll('_', '').toLowerCase().split('e');
  if (Math.abs(Number(exponent)) > mostExponent || digits!.length > mostExponent)
    throw new ToolError(`${written.slice(0, 40)} has too many digits: at most ${mostExponent}`);
  const { n, d } = readDecimal(digits!);
  const scale = 10n ** BigInt(Math.abs(Number(exponent)));
  return Number(exponent) < 0 ? fraction(n, d * scale) : fraction(n * scale, d);
}
