import type { BoundaryFinder } from './boundaries.ts';

/** Closing brackets, which belong to the definition above. */
const closing = new Set(Buffer.from(')]}'));

/** Finds boundaries of code without a grammar: an unindented line after a blank line begins a definition. */
export const betweenOutermostLines: BoundaryFinder = (text, start, _end, afterBlank) => {
  if (!afterBlank) return 0;
  const first = text[start]!;
  return first > 0x20 && !closing.has(first) ? 3 : 1;
};
