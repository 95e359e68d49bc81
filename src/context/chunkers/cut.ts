const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/**
 * Returns the last position for a cut that is not after `limit`: after white space in the last quarter, else between
 * two characters. `limit` is at least 4 bytes, the longest character, after `start`.
 */
export function cutBefore(text: Buffer, start: number, limit: number): number {
  const quarter = limit - Math.floor((limit - start) / 4);
  for (let cut = limit; cut > quarter; cut--) if (isSpace(text[cut - 1]!)) return cut;
  let cut = limit;
  while (limit - cut < 3 && isContinuation(text[cut])) cut--;
  return isContinuation(text[cut]) ? limit : cut;
}

const isSpace = (byte: number) => byte === space || byte === lineFeed;

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns where the content of a line ends, given its end including the line break. */
export function contentEnd(text: Buffer, start: number, end: number): number {
  if (end > start && text[end - 1] === lineFeed) end--;
  return end > start && text[end - 1] === carriageReturn ? end - 1 : end;
}

/** Whether a line holds nothing but spaces, tabs and other control characters. */
export function isBlank(text: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text[index]! > space) return false;
  return true;
}
