import { createHash } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';
import { createPacer } from '../base/time.ts';
import type { ContextStore } from './document.ts';

/** The lowest number in an id from `passageIdOf`. Chunks of the inputs have lower numbers. */
const firstNumber = 1_000_000_000;
const numbers = 9_000_000_000;

/** Returns the id of a passage that is not a chunk of the text. The id is the same in every run. */
export function passageIdOf(source: string, startLine: number, text: string): string {
  const hash = sha256(JSON.stringify([source, startLine, text]), 12);
  return `P${firstNumber + (Number.parseInt(hash, 16) % numbers)}`;
}

/** Returns the first 16 hex digits of the SHA-256 of a passage's text. */
export const passageHash = (text: string): string => sha256(text, 16);

/** Computes the first 32 hex digits of the SHA-256 of a document's text, with pauses for other work. */
export async function hashText(store: ContextStore, document: number, pace = createPacer(10)): Promise<string> {
  const hash = createHash('sha256');
  for (const window of windowsOf(store, document)) {
    hash.update(window);
    await pace();
  }
  return hash.digest('hex').slice(0, 32);
}

const windowBytes = 1024 * 1024;

/** Yields the bytes of a document in pieces. Each piece begins with the last `overlap` bytes of the piece before. */
export function* windowsOf(store: ContextStore, document: number, overlap = 0): Generator<Uint8Array> {
  const { bytes } = store.documents[document]!;
  for (let start = 0; start < bytes; start += windowBytes) {
    yield store.read(document, Math.max(0, start - overlap), Math.min(bytes, start + windowBytes));
  }
}
