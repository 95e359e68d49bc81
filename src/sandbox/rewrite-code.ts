import { readTokens, type Token } from './code-tokens.ts';

/** Replaces a stretch of the code with text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Calls that may begin without waiting for their reply. */
const calls = new Set(['llm_query', 'rlm_query']);
const declaring = new Set(['let', 'const', 'var', 'function', 'class']);
const keywords = new Set(
  'if for while do switch case default break continue return throw try catch finally function class new delete typeof void in of instanceof yield await async let const var else with import export super this null true false'.split(
    ' ',
  ),
);

const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
const replace = ({ start, end }: Token, text: string): Edit => ({ start, end, text });

/** Whether a token begins a statement outside of all brackets, as far as tokens tell. */
function beginsStatement(tokens: readonly Token[], index: number): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]!];
  if (token.depth > 0) return false;
  if (before === undefined || before.text === ';') return true;
  if (before.text === '}') return token.isOnNewLine || token.kind === 'word';
  const mayEnd =
    before.kind === 'other' || /^[)\]]$/.test(before.text) || (before.kind === 'word' && !keywords.has(before.text));
  return token.isOnNewLine && mayEnd;
}

/** Returns the index of the closing bracket for the one at `index`, or -1. */
const closing = (tokens: readonly Token[], index: number): number =>
  tokens.findIndex(({ depth, text }, at) => at > index && depth === tokens[index]!.depth && /^[)\]}]$/.test(text));

/** Sets variables without a value to undefined, also where an earlier turn has set them. */
function emptyDeclarators(tokens: readonly Token[], index: number): Edit[] {
  const edits: Edit[] = [];
  for (let at = index + 1; tokens[at]?.kind === 'word'; at += 2) {
    const next = tokens[at + 1];
    const isEmpty =
      next === undefined || next.text === ',' || next.text === ';' || (next.isOnNewLine && next.text !== '=');
    if (!isEmpty) return edits;
    edits.push(insert(tokens[at]!.end, '=undefined'));
    if (next?.text !== ',') return edits;
  }
  return edits;
}

/** Makes `let`, `const` and `class` outside of all brackets global variables, which may be declared again. */
function declarations(tokens: readonly Token[], index: number): Edit[] {
  const token = tokens[index]!;
  const next = tokens[index + 1];
  if (!beginsStatement(tokens, index) || next === undefined) return [];
  if (token.text === 'class' && next.kind === 'word') {
    const end = tokens.findIndex(({ text, depth }, at) => at > index && text === '}' && depth === 0);
    return [insert(token.start, `var ${next.text} = `), ...(end < 0 ? [] : [insert(tokens[end]!.end, ';')])];
  }
  if (token.text !== 'let' && token.text !== 'const') return [];
  if (next.kind !== 'word' && !/^[[{]$/.test(next.text)) return [];
  return [replace(token, 'var'), ...(token.text === 'let' ? emptyDeclarators(tokens, index) : [])];
}

/** Awaits the call of an async function that is not awaited: its failure would go unnoticed. */
function statementCalls(tokens: readonly Token[], index: number): Edit[] {
  if (!beginsStatement(tokens, index)) return [];
  const [token, next] = [tokens[index]!, tokens[index + 1]];
  const isCall = token.kind === 'word' && !keywords.has(token.text) && next?.text === '(' && !next.isOnNewLine;
  const isInline = token.text === '(' && next?.text === 'async';
  return isCall || isInline ? [insert(token.start, 'await ')] : [];
}

/** Quotes the name in `FINAL_VAR(name)`: without quotes it would pass the variable's value. */
function namedVariable(tokens: readonly Token[], index: number): Edit[] {
  const [open, name, close] = tokens.slice(index + 1, index + 4);
  if (tokens[index]!.text !== 'FINAL_VAR' || open?.text !== '(' || name?.kind !== 'word' || close?.text !== ')')
    return [];
  return [replace(name, `"${name.text}", () => ${name.text}`)];
}

/** Lets a call whose promise the code uses begin without waiting, so that several run concurrently. */
function promisedCalls(tokens: readonly Token[], index: number, usesPromises: boolean): Edit[] {
  const [before, token, next] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  if (!calls.has(token.text) || token.kind !== 'word') return [];
  if (before?.text === '.' || before?.text === '?.' || declaring.has(before?.text ?? '')) return [];
  if (next !== undefined && /^(?:=|:|\.|=>)$/.test(next.text)) return [];
  const after = next?.text === '(' ? tokens[closing(tokens, index + 1) + 1]?.text : undefined;
  const isPromise = before?.text === 'await' || (usesPromises && after !== '===' && after !== '!==');
  return isPromise ? [insert(token.end, '.later')] : [];
}

const usesPromises = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ text }, index) =>
      (text === 'Promise' && tokens[index + 1]?.text === '.') || (text === 'then' && tokens[index - 1]?.text === '.'),
  );

/**
 * Prepares a model's code to run turn by turn. Declarations outside of all brackets last and may be repeated. Calls to
 * a model run concurrently where the code uses their promises, and wait for their reply elsewhere, so that both `await
 * llm_query(…)` and `llm_query(…)` are right. Lines stay where they are.
 */
export function rewriteCode(code: string): string {
  const tokens = readTokens(code);
  const promises = usesPromises(tokens);
  const edits = tokens.flatMap((_, index) => [
    ...declarations(tokens, index),
    ...statementCalls(tokens, index),
    ...namedVariable(tokens, index),
    ...promisedCalls(tokens, index, promises),
  ]);
  let end = 0;
  const parts: string[] = [];
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    parts.push(code.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return [...parts, code.slice(end)].join('');
}
