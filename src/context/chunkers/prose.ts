import type { BoundaryFinder, Strength } from './boundaries.ts';

/** Finds paragraphs: a blank line is a boundary if the chunk is at least half full there. */
export const afterBlankLines: BoundaryFinder = (_text, _start, _end, afterBlank) => (afterBlank ? 1 : 0);

/** Finds paragraphs, and keeps them whole wherever they fit a chunk. */
export const betweenParagraphs: BoundaryFinder = (_text, _start, _end, afterBlank) => (afterBlank ? 3 : 0);

interface Fence {
  readonly mark: string;
  readonly length: number;
}

const headingPattern = /^ {0,3}(#{1,6})(?:[ \t\r\n]|$)/;
const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})([^\n]*)/;
const firstBytes = new Set(Buffer.from(' #`~'));

/**
 * Creates a finder for sections of Markdown: a heading of level 1 or 2 is the best boundary, a lower one the next
 * best. Lines in a fenced code block are neither headings nor paragraph ends.
 */
export function createSectionFinder(): BoundaryFinder {
  let fence: Fence | null = null;

  /** Opens and closes fences. Returns whether the line is a fence. */
  function passFence(line: string): boolean {
    const [, run = '', info = ''] = fencePattern.exec(line) ?? [];
    if (run === '') return false;
    if (fence === null) fence = { mark: run[0]!, length: run.length };
    else if (run[0] === fence.mark && run.length >= fence.length && info.trim() === '') fence = null;
    return true;
  }

  function strengthOfHeading(line: string): Strength {
    const level = headingPattern.exec(line)?.[1]?.length ?? 0;
    return level === 0 ? 0 : level <= 2 ? 3 : 2;
  }

  return (text, start, end, afterBlank) => {
    const otherwise = afterBlank && fence === null ? 1 : 0;
    if (!firstBytes.has(text[start]!)) return otherwise;
    const line = text.toString('latin1', start, end);
    const isFence = passFence(line);
    return isFence || fence !== null ? otherwise : strengthOfHeading(line) || otherwise;
  };
}
