import { RlmError } from '../errors.ts';
import type { ContextStore } from './document.ts';

/**
 * Returns the index of the document of that name.
 * @throws RlmError `input-missing`.
 */
export function findDocument(store: ContextStore, name: string): number {
  const index = store.documents.findIndex((document) => document.name === name);
  if (index !== -1) return index;
  const { documents } = store;
  const first = documents.slice(0, 3).map((document) => document.name);
  const named = documents.length > first.length ? `${first.join(', ')}, …` : first.join(', ');
  throw new RlmError('input-missing', `there is no document '${name}'`, {
    hint: documents.length === 0 ? 'There is no text at all.' : `The documents are ${named}`,
  });
}
