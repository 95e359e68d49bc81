import { createHash } from 'node:crypto';
import { createPacer } from '../base/time.ts';
import type { ContextStore } from './document.ts';
import { windowsOf } from './windows.ts';

/**
 * Computes the first 32 hex digits of the SHA-256 of a document's text. Hashing a large one takes long, so other work
 * gets its turn in between.
 */
export async function hashText(store: ContextStore, document: number, pace = createPacer(10)): Promise<string> {
  const hash = createHash('sha256');
  for (const window of windowsOf(store, document)) {
    hash.update(window);
    await pace();
  }
  return hash.digest('hex').slice(0, 32);
}
