import { cutText } from '../base/text.ts';
import type { Passage } from '../state.ts';
import type { Bounds, FittingResult } from './tool.ts';

/** A part of a result, with the passages to cite for it. */
export interface PageBlock {
  readonly text: string;
  readonly passages: readonly Passage[];
}

export const plainBlock = (text: string): PageBlock => ({ text, passages: [] });

const noteCharacters = 400;
const noteLines = 4;

/** Formats a cell of a result as a single line. */
export const shownCell = (value: unknown): string => (value === null ? 'NULL' : String(value).replace(/\s+/g, ' '));

function fitting(blocks: readonly PageBlock[], { characters, lines }: Bounds): number {
  let [charactersLeft, linesLeft] = [characters, lines];
  const failed = blocks.findIndex(({ text }) => {
    charactersLeft -= text.length + 1;
    linesLeft -= text.split('\n').length;
    return charactersLeft < 0 || linesLeft < 0;
  });
  return failed === -1 ? blocks.length : failed;
}

interface PageParts {
  readonly blocks: readonly PageBlock[];
  /** Returns the notes that follow the blocks if only the first `shown` blocks are shown. */
  end(shown: number): readonly string[];
  /** Returns the passages to cite in addition to those of the first `shown` blocks. */
  cited?(shown: number): readonly Passage[];
}

/** Shows as many blocks as fit (at least the beginning of the first), and the notes that `end` returns. */
export function page({ blocks, end, cited = () => [] }: PageParts): FittingResult {
  return (bounds) => {
    const all = end(blocks.length);
    const needed = { characters: all.join('\n').length, lines: all.length };
    const inFull = { characters: bounds.characters - needed.characters, lines: bounds.lines - needed.lines };
    const forNotes = Math.min(noteCharacters, Math.floor(bounds.characters / 3));
    const rest = { characters: bounds.characters - forNotes, lines: Math.max(1, bounds.lines - noteLines) };
    const whole = fitting(blocks, inFull) === blocks.length;
    const shown = whole ? blocks.length : Math.max(Math.min(1, blocks.length), fitting(blocks, rest));
    const parts = blocks.slice(0, shown);
    const body = parts.map(({ text }) => text).join('\n');
    const kept = whole ? body : beginningOf(body, rest.characters);
    const lines = [...(kept === '' ? [] : [kept]), ...(whole ? all : end(shown))];
    return { text: lines.join('\n'), passages: [...parts.flatMap(({ passages }) => passages), ...cited(shown)] };
  };
}

function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept = cutText(text, Math.max(1, characters - 50));
  return `${kept}\n(${text.length - kept.length + 1} of ${text.length} characters are left out)`;
}

/** Cuts a text to about `most` UTF-16 units around a match, with `…` where text was omitted. */
export function cutAround(text: string, match: { readonly start: number; readonly end: number }, most: number) {
  if (text.length <= most) return text;
  const spare = Math.max(0, most - (match.end - match.start));
  const from = Math.max(0, Math.min(match.start - Math.floor(spare / 3), text.length - most));
  return `${from === 0 ? '' : '…'}${cutText(text.slice(from).replace(/^[\udc00-\udfff]/, ''), most)}`;
}
