import type { Token } from './tokens.ts';

/** Words of a statement whose rows are not the rows of its tables. */
const combining = new Set(['group', 'having', 'union', 'intersect', 'except', 'distinct']);

/** Columns that `withPlaces` adds. */
export const placeColumns = 2;

/**
 * Returns a statement that also selects where its rows stand, as its last columns: with the name of the column for the
 * line. Null for a statement that combines rows.
 */
export function withPlaces(sql: string, tokens: readonly Token[], line: 'line' | 'number'): string | null {
  const outer = tokens.filter(({ depth, kind }) => depth === 0 && kind === 'word');
  const from = outer.find(({ text }) => text === 'from');
  if (outer[0]?.text !== 'select' || from === undefined) return null;
  if (outer.some(({ text }) => combining.has(text))) return null;
  return `${sql.slice(0, from.at)}, document, ${line} ${sql.slice(from.at)}`;
}
