import { describe, renderDescription } from '../context/description.ts';
import type { ContextStore } from '../context/document.ts';
import type { Window } from './window.ts';

/** 1,500 tokens. */
const mostBytes = 4_500;
const fewestBytes = 1_000;

/**
 * What a model is told of the text in its place. Text that does not fit is shown by its first lines too: a prompt with a
 * description holds no passages, so that their room is free.
 */
export function describeText(
  store: ContextStore,
  { fits, passageBytes }: Pick<Window, 'fits' | 'passageBytes'>,
): string {
  const bytes = Math.max(fewestBytes, Math.min(mostBytes, passageBytes));
  return renderDescription(describe(store, { firstLines: fits ? 0 : 3 }), bytes);
}
