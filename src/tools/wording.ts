/** A call as it is written, to be copied. */
export const shownCall = (tool: string, given: object): string => `${tool} ${JSON.stringify(given)}`;

/** How many, in words. */
export const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
