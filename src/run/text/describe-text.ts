import { describe, renderDescription } from '../../context/description.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Window } from '../door/window.ts';

/** Bytes of the description, at most: about 400 tokens. */
const mostBytes = 1_200;
const fewestBytes = 600;

/**
 * Documents whose first lines are shown, at most: the first lines of a few of many documents do not represent the
 * others.
 */
const mostWithFirstLines = 10;

/**
 * Describes the text to a model that does not see it, in at most about 400 tokens. A few documents that do not fit a
 * prompt are also shown by their first lines.
 * @param server the name in messages of a search server that is searched as well; null: none.
 */
export function describeText(
  store: ContextStore,
  { fits, passageBytes }: Pick<Window, 'fits' | 'passageBytes'>,
  server: string | null = null,
): string {
  const bytes = Math.max(fewestBytes, Math.min(mostBytes, passageBytes));
  const firstLines = fits || store.documents.length > mostWithFirstLines ? 0 : 3;
  const here = renderDescription(describe(store, { firstLines }), bytes);
  if (server === null) return here;
  const there = `- ${server}: it can be searched for passages, and cannot be read as a whole`;
  return store.documents.length === 0 ? there : `${there}\n${here}`;
}
