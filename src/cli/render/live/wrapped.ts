import wrap from 'wrap-ansi';

/** Matches text whose characters are one column wide each. */
const plain = /^[\u0020-\u007e\u00a0·…–—]*$/;

/** Whether a text without escape sequences surely fits into `columns`. False when only measuring would tell. */
export const fitsLine = (text: string, columns: number): boolean => text.length <= columns && plain.test(text);

/** Wraps text to at most `columns`. Continuation lines have the indentation of their first line. */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const [indent] = /^ {0,12}/.exec(line)!;
    const width = Math.max(8, columns - indent.length);
    return wrap(line.slice(indent.length), width, { hard: true })
      .split('\n')
      .map((part) => `${indent}${part}`);
  });
}

/** Shortens a text that is wider than `columns`. */
export function cutLine(text: string, columns: number): string {
  if (fitsLine(text, columns)) return text;
  const [first = '', ...rest] = wrap(text, Math.max(1, columns - 1), { hard: true, trim: false }).split('\n');
  const isWhole = rest.length === 0 || (rest.length === 1 && wrap(text, columns, { hard: true, trim: false }) === text);
  return isWhole ? text : `${first.trimEnd()}…`;
}

/** The indentation of continuation lines, as wide as `rlm: `. */
const ownIndent = '     ';

/** Wraps the program's own lines to `columns`. Continuation lines are indented below the text. */
export const ownLines = (lines: string, columns: number): string =>
  lines.replace(/[^\n]+/g, (line) => {
    const [first, ...rest] = wrapped(line, columns - ownIndent.length);
    return [first, ...rest.map((part) => (part.startsWith(' ') ? part : ownIndent + part))].join('\n');
  });
