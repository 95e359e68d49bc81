import { describe, renderDescription } from '../../context/description.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Window } from '../door/window.ts';

/** 1,500 tokens. */
const mostBytes = 4_500;
const fewestBytes = 1_000;

/**
 * What a model is told of the text in its place. Text that does not fit is shown by its first lines too: a prompt with
 * a description holds no passages, so that their room is free.
 * @param server a search server that is searched besides, as messages name it; null: none.
 */
export function describeText(
  store: ContextStore,
  { fits, passageBytes }: Pick<Window, 'fits' | 'passageBytes'>,
  server: string | null = null,
): string {
  const bytes = Math.max(fewestBytes, Math.min(mostBytes, passageBytes));
  const here = renderDescription(describe(store, { firstLines: fits ? 0 : 3 }), bytes);
  if (server === null) return here;
  const there = `- ${server}: it can be searched for passages, and cannot be read as a whole`;
  return store.documents.length === 0 ? there : `${there}\n${here}`;
}
