/** Characters of repeated text, at least, before it counts as endless: a table or a list may repeat a line. */
const leastCharacters = 300;
const leastTimes = 6;
/** The longest repeated unit that is searched for, in characters. */
const longestUnit = 200;

/** Returns how many characters at the end of a text equal those `unit` characters before them. */
function repeatedFor(text: string, unit: number, most: number): number {
  let length = 0;
  while (length < most && text[text.length - 1 - length] === text[text.length - 1 - length - unit]) length++;
  return length;
}

/**
 * Returns the text up to the end of the first of its endlessly repeated units; null where it does not end in
 * repetition. A model in this state writes nothing else until its limit. The time depends on the longest unit and the
 * compared length, not on the length of the text.
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
