/** A piece of JavaScript, as far as its rewriting has to know. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'other';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Brackets that are open around it. */
  readonly depth: number;
  /** Whether a line ends between it and the one before. */
  readonly isOnNewLine: boolean;
}

const space = /[\s\uFEFF]+/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const word = /[\p{ID_Start}$_#\\][\p{ID_Continue}$\\]*/uy;
const number = /(?:\d|\.\d)[\w.]*/y;
const quoted = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const expression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const sign = /===|!==|=>|\*\*|&&|\|\||\?\?|\?\.|[<>=!]=|\+\+|--|[\s\S]/uy;
/** A stretch of a template, up to its end or an expression in it. */
const template = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

const beforeExpression =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|yield|await|[^)\]}\w$"'`]|=>|&&|\|\||\?\?)$/;

function matchAt(pattern: RegExp, code: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? null;
}

/** The tokens of a program; one that is no valid program has some, too. */
export function readTokens(code: string): Token[] {
  const tokens: Token[] = [];
  /** For each open bracket, whether it is an expression in a template. */
  const open: boolean[] = [];
  let isOnNewLine = true;
  let at = 0;

  function add(kind: Token['kind'], text: string): void {
    tokens.push({ kind, text, start: at, end: at + text.length, depth: open.length, isOnNewLine });
    isOnNewLine = false;
    at += text.length;
  }

  function addTemplate(): void {
    add('other', code[at]! + (matchAt(template, code, at + 1) ?? ''));
    if (tokens.at(-1)!.text.endsWith('${')) open.push(true);
  }

  function addSign(text: string): void {
    if (/^[)\]}]$/.test(text) && open.pop() === true) {
      addTemplate();
      return;
    }
    add('sign', text);
    if (/^[([{]$/.test(text)) open.push(false);
  }

  while (at < code.length) {
    const skipped = matchAt(space, code, at) ?? matchAt(comment, code, at);
    if (skipped !== null) {
      isOnNewLine ||= skipped.includes('\n');
      at += skipped.length;
      continue;
    }
    const before = tokens.at(-1);
    const mayBegin = before === undefined || (before.kind !== 'other' && beforeExpression.test(before.text));
    const other =
      matchAt(number, code, at) ?? matchAt(quoted, code, at) ?? (mayBegin ? matchAt(expression, code, at) : null);
    const name = matchAt(word, code, at);
    if (code[at] === '`') addTemplate();
    else if (other !== null) add('other', other);
    else if (name !== null) add('word', name);
    else addSign(matchAt(sign, code, at)!);
  }
  return tokens;
}
