/** A whole number as people read it: `1,295`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * How many, in words: `1 line`, `1,295 lines`.
 * @param many for more than one, where that is not the word with an s.
 */
export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${grouped(count)} ${count === 1 ? word : many}`;

/**
 * Some names, and how many are not among them: `a.log, b.log, and 3 more documents`.
 * @param left how many are left out.
 * @param word for one of them.
 */
export const listed = (shown: readonly string[], left: number, word: string, separator = ', '): string =>
  [...shown, ...(left > 0 ? [`and ${counted(left, `more ${word}`)}`] : [])].join(separator);
