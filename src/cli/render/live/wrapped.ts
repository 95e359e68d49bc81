import wrap from 'wrap-ansi';

/** Characters of one column each. */
const plain = /^[\u0020-\u007e\u00a0·…–—]*$/;

/** Whether a text without escape sequences fits so many columns; false where that takes measuring. */
export const fitsLine = (text: string, columns: number): boolean => text.length <= columns && plain.test(text);

/** Lines of at most so many columns; what a line begins with in spaces, its next lines begin with, too. */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const [indent] = /^ {0,12}/.exec(line)!;
    const width = Math.max(8, columns - indent.length);
    return wrap(line.slice(indent.length), width, { hard: true })
      .split('\n')
      .map((part) => `${indent}${part}`);
  });
}

/** Cuts a text that is wider than so many columns. */
export function cutLine(text: string, columns: number): string {
  if (fitsLine(text, columns)) return text;
  const [first = '', ...rest] = wrap(text, Math.max(1, columns - 1), { hard: true, trim: false }).split('\n');
  const isWhole = rest.length === 0 || (rest.length === 1 && wrap(text, columns, { hard: true, trim: false }) === text);
  return isWhole ? text : `${first.trimEnd()}…`;
}

/** Where the text of the program's own lines begins: behind `rlm: `. */
const ownIndent = '     ';

/** The program's own lines in so many columns; what follows a break stands below the text. */
export const ownLines = (lines: string, columns: number): string =>
  lines.replace(/[^\n]+/g, (line) => {
    const [first, ...rest] = wrapped(line, columns - ownIndent.length);
    return [first, ...rest.map((part) => (part.startsWith(' ') ? part : ownIndent + part))].join('\n');
  });
