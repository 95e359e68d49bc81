/** A line of a document. */
interface LinePlace {
  readonly source: string;
  /** From 1. */
  readonly line: number;
}

/** Returns where a line of a derived text stands in the original document. */
export type Locate = (source: string, line: number) => LinePlace;

/** Of a text that is the original itself. */
export const locateSame: Locate = (source, line) => ({ source, line });

/** Moves the lines of something found to the original document. */
export function located<T extends { readonly source: string; readonly startLine: number; readonly endLine: number }>(
  found: T,
  locate: Locate,
): T {
  const { source, line: startLine } = locate(found.source, found.startLine);
  return { ...found, source, startLine, endLine: locate(found.source, found.endLine).line };
}
