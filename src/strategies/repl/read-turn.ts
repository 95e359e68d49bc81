import { tellsOf } from '../../sandbox/messages.ts';
import type { Completeness } from '../../state.ts';

/** An answer outside the code: its text, or the name of the variable that holds it. */
export type ProseFinal = Completeness &
  ({ readonly kind: 'answer'; readonly text: string } | { readonly kind: 'variable'; readonly name: string });

/** Matches `FINAL(` and `FINAL_VAR(` at the beginning of a line, where Markdown marks may precede them. */
const opening = /^[ \t]*(?:[-*>#]+[ \t]+)?[*_`]*(FINAL_VAR|FINAL)[ \t]*\(/gm;

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”' };

/** Whether an answer ends at a closing bracket. `rest`: the text after the bracket. */
const isEnd = (rest: string): boolean => /^[ \t]*[;.*_`]*[ \t]*(?:\r?\n|$)/.test(rest);

/** Returns the quoted text that follows an opening bracket; null if other text follows. */
function quotedIn(text: string): string | null {
  const start = text.search(/\S/);
  const close = quotes[text[start] ?? ''];
  if (close === undefined) return null;
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === close && /^\s*,?\s*(?:\)|\{[^}]*\}\s*\))/.test(text.slice(end + 1))) {
      return text
        .slice(start + 1, end)
        .replace(/\\(["'`\\])/g, '$1')
        .replaceAll('\\n', '\n');
    }
  }
  return null;
}

/**
 * Returns the text before the closing bracket: the first balanced bracket at a line's end, else the first balanced
 * bracket, else the last bracket if it ends a line. Without such a bracket, returns the whole text.
 */
function balancedIn(text: string): string {
  let depth = 0;
  let first = -1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] !== ')') continue;
    if (depth === 0 && isEnd(text.slice(at + 1))) return text.slice(0, at);
    if (depth === 0 && first < 0) first = at;
    depth = Math.max(0, depth - 1);
  }
  const last = text.lastIndexOf(')');
  if (first >= 0) return text.slice(0, first);
  return last >= 0 && isEnd(text.slice(last + 1)) ? text.slice(0, last) : text;
}

const isName = (text: string): boolean => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);

const strings = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** Reads the completeness of an answer from the object after it, which is JSON or code. */
function completenessIn(object: string): Completeness {
  const [, word] = /["']?\btells["']?\s*:\s*["'`](\w+)["'`]/.exec(object) ?? [];
  const [, list = ''] = /["']?\bmissing["']?\s*:\s*(\[[\s\S]*\]|["'`][\s\S]*)/.exec(object) ?? [];
  const missing = [...list.matchAll(strings)].map((found) => found.slice(1).find((one) => one !== undefined)!);
  return { tells: tellsOf(word), missing: missing.map((one) => one.replace(/\\(.)/g, '$1')).filter(Boolean) };
}

/** Matches the object after an answer. Its keys distinguish it from an object that is the answer. */
const behind = /,\s*(\{\s*["']?(?:tells|missing)["']?\s*:[\s\S]*\})\s*$/;

/** Returns the last `FINAL(…)` or `FINAL_VAR(…)` at the start of a line in a text; null without one. */
export function readFinal(text: string): ProseFinal | null {
  const found = [...text.matchAll(opening)].map(({ 0: match, 1: name, index }): ProseFinal | null => {
    const rest = text.slice(index + match.length);
    const whole = balancedIn(rest);
    const said = behind.exec(whole);
    const completeness = completenessIn(said?.[1] ?? '');
    const inside = (quotedIn(rest) ?? whole.slice(0, said?.index)).trim();
    if (inside === '') return null;
    const final = name === 'FINAL_VAR' ? { kind: 'variable', name: inside } : { kind: 'answer', text: inside };
    return { ...(final as ProseFinal), ...completeness };
  });
  return found.findLast((one) => one !== null) ?? null;
}

/** Returns the variable that a model names instead of an answer; null if the answer is no name. */
export const variableNameIn = ({ text }: { readonly text: string }): string | null => (isName(text) ? text : null);

export interface Turn {
  /** The text outside the code. */
  readonly thought: string;
  /** The code to run; empty if there is none. */
  readonly code: string;
  /** An answer outside the code; null if there is none. */
  readonly final: ProseFinal | null;
  /** The answer in code that begins with FINAL, for use if the code is not valid; null for other code. */
  readonly fencedFinal: ProseFinal | null;
}

/** Matches a fenced block. An unclosed block ends with the reply. */
const fenced = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Languages of blocks that are run. */
const runnable = /^(?:|js|javascript|mjs|node|ts|typescript|repl|code)$/i;

const looksLikeCode =
  /^\s*(?:(?:const|let|var|function|async|await|for|if|while|try|class)\b|(?:print|console\.log|context|contexts|llm_query|llm_query_batched|rlm_query|query|classify)\b[\s.[(]|\/\/)/;

/** Parses a reply into its code, its answer outside the code, and its other text. */
export function readTurn(reply: string): Turn {
  const blocks = [...reply.matchAll(fenced)].filter(([, , language]) => runnable.test(language!));
  const code = blocks.map(([, , , body]) => body!.trimEnd()).join('\n');
  const prose = blocks.reduce((rest, [block]) => rest.replace(block, () => '\n'), reply).trim();
  if (blocks.length === 0 && looksLikeCode.test(reply))
    return { thought: '', code: reply.trim(), final: null, fencedFinal: null };
  const isOnlyFinal = /^\s*FINAL(?:_VAR)?\s*\(/.test(code);
  return { thought: prose, code, final: readFinal(prose), fencedFinal: isOnlyFinal ? readFinal(code) : null };
}
