/** An answer that stands in prose: the words themselves, or the name of the variable that holds them. */
export type ProseFinal =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

/** At the beginning of a line, after what markdown puts there. */
const opening = /^[ \t]*(?:[-*>#]+[ \t]+)?[*_`]*(FINAL_VAR|FINAL)[ \t]*\(/gm;

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”' };

/** What follows a closing bracket that ends the answer. */
const isEnd = (rest: string): boolean => /^[ \t]*[;.*_`]*[ \t]*(?:\r?\n|$)/.test(rest);

/** A quoted text that fills the brackets, and its escapes resolved; null where it does not. */
function quotedIn(text: string): string | null {
  const start = text.search(/\S/);
  const close = quotes[text[start] ?? ''];
  if (close === undefined) return null;
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === close && /^\s*,?\s*\)/.test(text.slice(end + 1))) {
      return text
        .slice(start + 1, end)
        .replace(/\\(["'`\\])/g, '$1')
        .replaceAll('\\n', '\n');
    }
  }
  return null;
}

/**
 * The text up to the bracket that closes it. Words may hold brackets that do not pair: the first one that ends a line
 * with all others closed counts, else the first that closes all, else the last one there is.
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

/** The answer that a text gives with `FINAL(…)` or `FINAL_VAR(…)` at the beginning of a line; the last one, or null. */
export function readFinal(text: string): ProseFinal | null {
  const found = [...text.matchAll(opening)].map(({ 0: match, 1: name, index }): ProseFinal | null => {
    const rest = text.slice(index + match.length);
    const inside = (quotedIn(rest) ?? balancedIn(rest)).trim();
    if (inside === '') return null;
    return name === 'FINAL_VAR' ? { kind: 'variable', name: inside } : { kind: 'answer', text: inside };
  });
  return found.findLast((one) => one !== null) ?? null;
}

/** The name that an answer may be: a model may name a variable where it should give the answer. */
export const nameIn = ({ text }: { readonly text: string }): string | null => (isName(text) ? text : null);
