import type { Token } from './tokens.ts';

/** What a statement names: only that is read from the text. */
export interface Mentions {
  /** Whether a table or a column may be named. */
  has(name: string): boolean;
  /** Whether it may use columns that it does not name, as `SELECT *` does. */
  readonly isAll: boolean;
}

const beforeStar = new Set(['select', 'distinct', 'all', ',', '.']);

/** `IN table` and NATURAL JOIN use columns without a name. */
const usesUnnamed = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }, index) => {
    if (text === '*') return beforeStar.has(tokens[index - 1]?.text ?? '');
    return text === 'natural' || (text === 'in' && tokens[index + 1]?.text !== '(');
  });

/** Collects what a statement names. */
export function mentionsOf(tokens: readonly Token[]): Mentions {
  const names = new Set(
    tokens.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ text }) => text.toLowerCase()),
  );
  return { has: (name) => names.has(name.toLowerCase()), isAll: usesUnnamed(tokens) };
}
