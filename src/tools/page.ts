import type { Bounds } from './tool.ts';

/** A result as it grows, line by line, within bounds. */
export interface Page {
  /** Adds text of one or more lines, if there is room for it; once there was none, nothing is added any more. */
  add(text: string): boolean;
  /** What there is room for at first. */
  readonly room: Bounds;
  readonly isFull: boolean;
  /** All of it, with notes at its end, for which room was kept. */
  end(notes?: readonly string[]): string;
}

const keptCharacters = 600;
const keptLines = 6;

/** A page within the bounds, of which it keeps a part for the notes. */
export function createPage({ characters, lines }: Bounds): Page {
  const parts: string[] = [];
  const room = {
    characters: characters - Math.min(keptCharacters, Math.floor(characters / 3)),
    lines: lines - Math.min(keptLines, Math.floor(lines / 3)),
  };
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
    end: (notes = []) => cutText([...parts, ...notes].join('\n'), characters),
  };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The first so many characters, never half of one, with a sign where something was left out. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, Math.max(0, characters - 1));
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A call as it is written, to be copied. */
export const shownCall = (tool: string, given: object): string => `${tool} ${JSON.stringify(given)}`;
