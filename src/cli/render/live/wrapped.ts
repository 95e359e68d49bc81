import { stripVTControlCharacters } from 'node:util';
import wrap from 'wrap-ansi';

const plain = /^[\u0020-\u007e\u00a0·…–—]*$/;

/** Whether a text certainly fits into `columns`. Also false for a text with characters of unknown width. */
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

/** Matches a source's number or a bullet. Continuation lines are indented to the text after it. */
const itemStart = /^(?:\u001b\[[\d;]*m)*(?:\[(?:\d+|[!?])\]|[-*•]|\d+[.)])(?:\u001b\[[\d;]*m)* /;

/** Wraps an answer with its sources to `columns`. Fenced code stays as it is. */
export function wrapAnswer(text: string, columns: number): string {
  let isCode = false;
  const lines = text.split('\n').flatMap((line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    if (isCode || fitsLine(line, columns)) return [line];
    const [indent] = /^ {0,12}/.exec(line)!;
    const [item = ''] = itemStart.exec(line.slice(indent.length)) ?? [];
    const width = indent.length + stripVTControlCharacters(item).length;
    const [first, ...rest] = wrap(line.slice(indent.length + item.length), Math.max(8, columns - width), {
      hard: true,
    }).split('\n');
    return [indent + item + first, ...rest.map((part) => ' '.repeat(width) + part)];
  });
  return lines.join('\n');
}

const ownIndent = '     ';

/** Wraps the program's own lines to `columns`. */
export const ownLines = (lines: string, columns: number): string =>
  lines.replace(/[^\n]+/g, (line) => {
    const [first, ...rest] = wrapped(line, columns - ownIndent.length);
    return [first, ...rest.map((part) => (part.startsWith(' ') ? part : ownIndent + part))].join('\n');
  });
