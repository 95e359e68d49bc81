import type { BoundaryFinder } from './boundaries.ts';

/** Closing brackets, and labels such as `}` of the definition above. */
const closing = new Set(Buffer.from(')]}'));

/** Code without its grammar: a line without indentation after a blank line begins something. */
export const betweenOutermostLines: BoundaryFinder = (text, start, _end, afterBlank) => {
  if (!afterBlank) return 0;
  const first = text[start]!;
  return first > 0x20 && !closing.has(first) ? 3 : 1;
};
