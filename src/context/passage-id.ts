import { createHash } from 'node:crypto';

/** The lowest number of such an id; numbers of chunks are smaller. */
const firstNumber = 1_000_000_000;
const numbers = 9_000_000_000;

/**
 * Returns the id of a passage that is no chunk of the text, such as one of a search server. The same passage has the
 * same id in every run, whatever the order in which passages arrive.
 * @param startLine from 1.
 */
export function passageIdOf(source: string, startLine: number, text: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([source, startLine, text]))
    .digest('hex');
  return `P${firstNumber + (Number.parseInt(hash.slice(0, 12), 16) % numbers)}`;
}

/** Returns the first 16 hex digits of the SHA-256 of a passage's text. */
export const passageHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
