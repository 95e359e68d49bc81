/** So much of the same, at least, before a text is taken for endless: a table or a list may repeat a line. */
const leastCharacters = 300;
const leastTimes = 6;
/** The longest words that are looked for, in characters. */
const longestUnit = 200;

/** How long the end of a text repeats what stands `unit` characters before it, in characters. */
function repeatedFor(text: string, unit: number, most: number): number {
  let length = 0;
  while (length < most && text[text.length - 1 - length] === text[text.length - 1 - length - unit]) length++;
  return length;
}

/**
 * Where the same words begin to follow each other without end: the text up to their first end. Null where they do not.
 * A model that has come to this writes nothing else until its limit. Takes time in proportion to the longest words
 * that are looked for times what is compared, not to the text.
 */
export function beforeRepetition(text: string): string | null {
  for (let unit = 1; unit <= longestUnit; unit++) {
    const needed = Math.max(leastCharacters, unit * leastTimes);
    if (text.length < needed + unit) return null;
    if (repeatedFor(text, unit, needed) < needed) continue;
    const isOfWords = /[\p{L}\p{N}]/u.test(text.slice(-unit));
    if (isOfWords) return text.slice(0, text.length - repeatedFor(text, unit, text.length - unit));
  }
  return null;
}
