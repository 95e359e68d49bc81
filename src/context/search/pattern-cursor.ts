/** A pattern, and how far it has been read. */
export interface PatternCursor {
  /** The characters of the pattern, one for each code point. */
  readonly characters: readonly string[];
  readonly ignoreCase: boolean;
  /** Index of the next character. */
  at: number;
}

/** Thrown for syntax that is left to the regular expression library. */
export class NotUnderstood extends Error {}

/** Returns the next character without reading it; undefined at the end of the pattern. */
export const peekCharacter = ({ characters, at }: PatternCursor): string | undefined => characters[at];

/** Reads the wanted text if it comes next. Returns whether it does. */
export function take(cursor: PatternCursor, wanted: string): boolean {
  const isThere = [...wanted].every((character, index) => cursor.characters[cursor.at + index] === character);
  if (isThere) cursor.at += wanted.length;
  return isThere;
}

/** Reads the next character. Throws NotUnderstood at the end of the pattern. */
export function next(cursor: PatternCursor): string {
  const character = cursor.characters[cursor.at++];
  if (character === undefined) throw new NotUnderstood();
  return character;
}

/** Reads up to a character and past it, and returns the text before it. Throws NotUnderstood where it is missing. */
export function until(cursor: PatternCursor, end: string): string {
  const stop = cursor.characters.indexOf(end, cursor.at);
  if (stop === -1) throw new NotUnderstood();
  const text = cursor.characters.slice(cursor.at, stop).join('');
  cursor.at = stop + 1;
  return text;
}
