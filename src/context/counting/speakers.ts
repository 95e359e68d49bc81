import type { ContextStore } from '../document.ts';
import { createLineFinder } from '../lines.ts';
import { searchPlaces } from '../search/search.ts';
import { readBuffer, withoutEnd } from '../shown-text.ts';
import { speakerOf } from '../words/speech.ts';

/** A message in a chat. */
export interface ChatMessage {
  readonly document: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
  /** In lower case. */
  readonly speaker: string;
}

const mostLineBytes = 2_000;

/** Finds all messages of all chats, in text order. */
export async function findMessages(store: ContextStore, signal: AbortSignal): Promise<readonly ChatMessage[]> {
  const finder = createLineFinder(store);
  const options = { limit: Number.MAX_SAFE_INTEGER };
  const { matches } = await searchPlaces(store, '\\d\\d?:\\d\\d', options, signal);
  return matches.flatMap(({ document, startByte: at }) => {
    const { startByte, endByte } = finder.around(document, at)!;
    const bytes = readBuffer(store, document, startByte, Math.min(endByte, startByte + mostLineBytes));
    const name = speakerOf(withoutEnd(bytes).toString())?.name;
    return name === undefined ? [] : [{ document, startByte, endByte, speaker: name }];
  });
}
