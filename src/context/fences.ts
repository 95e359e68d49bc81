/** Matches a fence of backticks or tildes. No backtick may follow the marks of a fence of backticks. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

export const isFence = (line: string): boolean => fence.test(line);

/** Tracks the fenced code of a text. Call `covers` with every line in order. */
export function createFences() {
  let open: string | null = null;
  return {
    /** Whether a line is in fenced code or is a fence. */
    covers(line: string): boolean {
      const [, marks] = fence.exec(line) ?? [];
      const isEnd = open !== null && marks?.startsWith(open) && line.trim() === marks;
      const isCovered = open !== null || marks !== undefined;
      open = isEnd ? null : (open ?? marks ?? null);
      return isCovered;
    },
    isOpen: (): boolean => open !== null,
  };
}
