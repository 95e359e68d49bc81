import type { Bounds } from './tool.ts';

/** A result that grows line by line, within bounds. */
export interface Page {
  /** Adds text of one or more lines if there is room for it. After a refusal nothing is added any more. */
  add(text: string): boolean;
  /** The room at the beginning. */
  readonly room: Bounds;
  readonly isFull: boolean;
  /** Returns the whole result, with notes at its end, for which room was kept. */
  end(notes?: readonly string[]): string;
}

const without = (bounds: Bounds, kept: Bounds): Bounds => ({
  characters: bounds.characters - kept.characters,
  lines: bounds.lines - kept.lines,
});

/** Returns the room for notes: at most a third of a small result. */
const keptForNotes = ({ characters, lines }: Bounds): Bounds => ({
  characters: Math.min(600, Math.floor(characters / 3)),
  lines: Math.min(6, Math.floor(lines / 3)),
});

/** A short note on what was left out. */
const keptForRest: Bounds = { characters: 160, lines: 1 };

/** Creates a page within the bounds, of which it keeps a part for the notes. */
export function createPage(bounds: Bounds, kept = keptForNotes(bounds)): Page {
  const parts: string[] = [];
  const room = without(bounds, kept);
  let { characters: charactersLeft, lines: linesLeft } = room;
  let isFull = false;
  return {
    room,
    add(text) {
      const lineCount = countLines(text);
      if (isFull || text.length + 1 > charactersLeft || lineCount > linesLeft) {
        isFull = true;
        return false;
      }
      charactersLeft -= text.length + 1;
      linesLeft -= lineCount;
      parts.push(text);
      return true;
    },
    get isFull() {
      return isFull;
    },
    end: (notes = []) => cutText([...parts, ...notes].join('\n'), bounds.characters),
  };
}

/** Joins as many blocks as the bounds allow, from the first on; of a first one that is too long, its beginning. */
export function fitBlocks(
  blocks: readonly string[],
  bounds: Bounds,
): { readonly text: string; readonly shown: number } {
  const page = createPage(bounds, keptForRest);
  const failed = blocks.findIndex((block) => !page.add(block));
  if (failed === 0) return { text: beginningOf(blocks[0]!, bounds), shown: 1 };
  return { text: page.end(), shown: failed === -1 ? blocks.length : failed };
}

/** Returns a text within the bounds unchanged, of a longer one the beginning with a note on the rest. */
export function beginningOf(text: string, bounds: Bounds): string {
  if (text.length <= bounds.characters && countLines(text) <= bounds.lines) return text;
  const { characters, lines } = without(bounds, keptForRest);
  const first = text.split('\n').slice(0, Math.max(1, lines)).join('\n');
  const kept = first.slice(0, Math.max(0, characters)).toWellFormed();
  return `${kept}\n… (${text.length - kept.length} of ${text.length} characters are left out)`;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Cuts a text to `characters` characters, never within one, with `…` where something was left out. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, Math.max(0, characters - 1));
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
