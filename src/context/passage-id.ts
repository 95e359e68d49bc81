import { createHash } from 'node:crypto';

/** Numbers of chunks are smaller: no text has so many. */
const firstNumber = 1_000_000_000;
const numbers = 9_000_000_000;

/**
 * The id of a passage that is no chunk of the text, such as one from a search server. The same passage has the same id
 * in every run, in whatever order passages arrive.
 * @param startLine from 1.
 */
export function passageIdOf(source: string, startLine: number, text: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([source, startLine, text]))
    .digest('hex');
  return `P${firstNumber + (Number.parseInt(hash.slice(0, 12), 16) % numbers)}`;
}

/** First 16 hex digits of the SHA-256 of a passage's text. */
export const passageHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
