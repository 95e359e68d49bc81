import { basename } from 'node:path';
import type { TextSource } from '../../context/shown-text.ts';
import type { PlannedTable } from './plan-tables.ts';

/**
 * Takes names of documents with an extension, such as `a.csv`, out of the words of a question. `isMeant` tells whether
 * all rows of a table are from the named documents; if the question names none, it is true for each table.
 */
export function takeDocumentNames<W extends { readonly text: string }>({ documents }: TextSource, words: readonly W[]) {
  const known = new Set(documents.flatMap(({ name }) => [name, basename(name)]));
  const named = words.filter(({ text }) => /.\.\w+$/.test(text) && known.has(text));
  const isNamed = (name: string): boolean => named.some(({ text }) => text === name || text === basename(name));
  return {
    tokens: words.filter((word) => !named.includes(word)),
    isMeant: ({ parts }: PlannedTable): boolean =>
      named.length === 0 || parts.every(({ document }) => isNamed(document.name)),
  };
}
