/** A stretch of a text: offsets in characters, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const tableSize = 65_536;
const longestWindow = 200;

const blockAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 257 + text.charCodeAt(at + 1)) & (tableSize - 1);

/** How far the window may move when it ends with a block of two characters, so that no pattern is passed over. */
function shiftTable(patterns: readonly string[], window: number): Uint8Array {
  const shifts = new Uint8Array(tableSize).fill(window - 1);
  for (const pattern of patterns) {
    for (let at = 0; at + 2 <= window; at++) {
      const block = blockAt(pattern, at);
      shifts[block] = Math.min(shifts[block]!, window - 2 - at);
    }
  }
  return shifts;
}

/** Patterns by their first characters, the longest first. */
function groupByHead(patterns: readonly string[], window: number): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const pattern of patterns.toSorted((a, b) => b.length - a.length)) {
    const head = pattern.slice(0, window);
    groups.set(head, [...(groups.get(head) ?? []), pattern]);
  }
  return groups;
}

/**
 * Makes the function that finds all of many patterns in one pass, most of which is jumped over (Wu and Manber, A fast
 * algorithm for multi-pattern searching, 1994). What overlaps or touches is one span.
 * @param patterns each of two characters or more.
 */
export function createMatcher(patterns: readonly string[]): (text: string) => readonly Span[] {
  const window = Math.min(longestWindow, ...patterns.map(({ length }) => length));
  const shifts = shiftTable(patterns, window);
  const groups = groupByHead(patterns, window);

  const endOfMatch = (text: string, at: number): number | null => {
    const found = groups.get(text.slice(at, at + window))?.find((pattern) => text.startsWith(pattern, at));
    return found === undefined ? null : at + found.length;
  };

  return (text) => {
    const spans: { start: number; end: number }[] = [];
    for (let at = 0; at + window <= text.length; ) {
      const shift = shifts[blockAt(text, at + window - 2)]!;
      const end = shift === 0 ? endOfMatch(text, at) : null;
      const last = spans.at(-1);
      if (end !== null && last !== undefined && at <= last.end) last.end = Math.max(last.end, end);
      else if (end !== null) spans.push({ start: at, end });
      at += Math.max(1, shift);
    }
    return spans;
  };
}
