import { ToolError } from '../tool-error.ts';

/** A word, a sign or a value in an expression. */
export interface Token {
  readonly kind: 'date' | 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  /** From 0. */
  readonly at: number;
}

const date = String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d:])`;
const number = String.raw`(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`;
const name = '[A-Za-z_][A-Za-z_0-9]*';
const sign = String.raw`\*\*|<=|>=|==|!=|[-+*/%^(),[\]<>=×÷·−≤≥≠]`;
const pattern = new RegExp(
  String.raw`\s+|(?<date>${date})|(?<number>${number})|(?<name>${name})|(?<sign>${sign})|.`,
  'gsu',
);

/** Other spellings of operators. */
const sameSigns = new Map(
  ['** ^', '== =', 'of *', '× *', '· *', '÷ /', '− -', '≤ <=', '≥ >=', '≠ !='].map(
    (pair) => pair.split(' ') as [string, string],
  ),
);

/**
 * Splits an expression into tokens, with one of the kind `end` behind the last.
 * @throws ToolError at a sign that means nothing.
 */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: source, index: at, groups = {} } of expression.matchAll(pattern)) {
    const kind = (['date', 'number', 'name', 'sign'] as const).find((each) => groups[each] !== undefined);
    if (kind !== undefined) tokens.push({ kind, text: sameSigns.get(source) ?? source, at });
    else if (source.trim() !== '')
      throw new ToolError(`${JSON.stringify(source)} at character ${at + 1} means nothing in an expression`);
  }
  return [...tokens, { kind: 'end', text: 'the end', at: expression.length }];
}
