import { withoutMarks } from '../sentences/marks.ts';
import { collapse } from '../sentences/quote.ts';

const opening = 'Not found: no sentence in the text matches';
const longest = 200;

/** Shortens a question to one line that can be repeated in a sentence. */
export function shorten(question: string): string {
  const line = collapse(question);
  return line.length <= longest ? line : `${[...line.slice(0, longest)].slice(0, -1).join('').trimEnd()}…`;
}

/** Returns the answer to a question that nothing in the text answers. */
export function notFound(question: string): string {
  return `${opening} "${withoutMarks(shorten(question))}" well enough.`;
}

/** Whether a line is such an answer. */
export function saysNotFound(line: string): boolean {
  return line.startsWith('Not found:');
}

/** Returns the question in such an answer, or null. */
export function questionNotFound(line: string): string | null {
  return /^Not found: .*? matches "(.*)" well enough\.$/u.exec(line)?.[1] ?? null;
}
