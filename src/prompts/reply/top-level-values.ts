/** Objects and arrays in a text, as text. */
export interface TopLevelValues {
  /** Values with closed brackets, in order. */
  readonly closed: readonly string[];
  /** The text from the last unclosed bracket to the end, or null. */
  readonly open: string | null;
}

const special = /[{}[\]"\\]/g;

/**
 * Finds the objects and arrays in a text by their brackets; brackets in strings do not count. Takes time linear in the
 * text.
 */
export function topLevelValues(text: string): TopLevelValues {
  const closed: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  special.lastIndex = 0;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const [sign] = match;
    if (sign === '\\') special.lastIndex += inString ? 1 : 0;
    else if (sign === '"') inString = depth > 0 && !inString;
    else if (inString) continue;
    else if (sign === '{' || sign === '[') {
      if (depth === 0) start = match.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) closed.push(text.slice(start, match.index + 1));
    }
  }
  return { closed, open: depth > 0 ? text.slice(start) : null };
}
