import type { Bounds } from './tool.ts';

/** What is kept of a result for the words that tell what was left out. */
const noteCharacters = 160;

const linesIn = (text: string): number => text.split('\n').length;

/** As many of the blocks as the bounds allow, from the first on. Of a first one that is too long, its beginning. */
export function fitBlocks(
  blocks: readonly string[],
  bounds: Bounds,
): { readonly text: string; readonly shown: number } {
  let [characters, lines] = [bounds.characters - noteCharacters, bounds.lines - 1];
  let shown = 0;
  for (const block of blocks) {
    characters -= block.length + 1;
    lines -= linesIn(block);
    if (characters < 0 || lines < 0) break;
    shown += 1;
  }
  if (shown === 0 && blocks.length > 0) return { text: beginningOf(blocks[0]!, bounds), shown: 1 };
  return { text: blocks.slice(0, shown).join('\n'), shown };
}

/** A text as it is where it keeps within the bounds, else its beginning, and how much was left out. */
export function beginningOf(text: string, { characters, lines }: Bounds): string {
  if (text.length <= characters && linesIn(text) <= lines) return text;
  const first = text
    .split('\n')
    .slice(0, Math.max(1, lines - 1))
    .join('\n');
  const kept = first.slice(0, Math.max(0, characters - noteCharacters)).toWellFormed();
  return `${kept}\n… (${text.length - kept.length} of ${text.length} characters are left out)`;
}

/** How many, in words. */
export const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
