import { ToolError } from '../tool-error.ts';

/** A word, a sign or a value in an expression. */
export interface Token {
  readonly kind: 'number' | 'date' | 'text' | 'name' | 'sign' | 'end';
  /** The source; for a text, its content. */
  readonly text: string;
  /** From 0. */
  readonly at: number;
}

const date = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d:])/y;
const number = /(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const text = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy;
const name = /[A-Za-z_][A-Za-z_0-9]*/y;
const sign = /\*\*|<=|>=|==|!=|[-+*/%^(),[\]<>=×÷·−≤≥≠]/y;
const blank = /\s+/y;

/** Other spellings of operators. */
const sameSigns = new Map([
  ['**', '^'],
  ['==', '='],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
]);

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

function match(pattern: RegExp, expression: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(expression);
}

const withoutEscapes = (content: string): string =>
  content.replace(/\\(.)/gsu, (_, character: string) => escapes.get(character) ?? character);

/**
 * Splits an expression into tokens.
 * @throws ToolError at a sign that means nothing.
 */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < expression.length; ) {
    const space = match(blank, expression, at);
    const [token, length] = space === null ? tokenAt(expression, at) : [null, space[0].length];
    if (token !== null) tokens.push(token);
    at += length;
  }
  return [...tokens, { kind: 'end', text: 'the end', at: expression.length }];
}

function tokenAt(expression: string, at: number): [Token, number] {
  const quoted = match(text, expression, at);
  if (quoted !== null) return [{ kind: 'text', text: withoutEscapes(quoted[1] ?? quoted[2]!), at }, quoted[0].length];
  const kinds = [
    ['date', date],
    ['number', number],
    ['name', name],
    ['sign', sign],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const found = match(pattern, expression, at)?.[0];
    if (found !== undefined) return [{ kind, text: sameSigns.get(found) ?? found, at }, found.length];
  }
  const shown = String.fromCodePoint(expression.codePointAt(at)!);
  throw new ToolError(`${JSON.stringify(shown)} at character ${at + 1} means nothing in an expression`);
}
