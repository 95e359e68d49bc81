/** A whole number as people read it: `1,295`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * How many, in words: `1 line`, `1,295 lines`.
 * @param many for more than one, where that is not the word with an s.
 */
export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${grouped(count)} ${count === 1 ? word : many}`;
