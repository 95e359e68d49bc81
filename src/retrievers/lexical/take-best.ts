import type { ContextStore } from '../../context/document.ts';
import type { Passage } from '../../state.ts';
import type { Query } from '../retriever.ts';
import { bestFirst } from './best-first.ts';

/**
 * Returns the passages with the highest scores that the query has room for; equal scores keep text order.
 * @param scores scores by chunk number, from 0; a score of 0 or less does not match.
 */
export function takeBest(store: ContextStore, scores: Float64Array, { limit, maxBytes, exclude }: Query): Passage[] {
  const passages: Passage[] = [];
  let left = maxBytes;
  const better = (x: number, y: number) => scores[x]! > scores[y]! || (scores[x] === scores[y] && x < y);
  for (const index of bestFirst(placesAboveZero(scores), better)) {
    if (passages.length >= limit || left <= 0) break;
    const chunk = store.chunk(index);
    if (chunk.endByte - chunk.startByte > left) continue;
    const passage = store.passage(chunk, scores[index]!);
    if (exclude?.has(passage.id)) continue;
    const bytes = passage.endByte - passage.startByte;
    if (bytes > left) continue;
    passages.push(passage);
    left -= bytes;
  }
  return passages;
}

function placesAboveZero(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  let count = 0;
  for (let at = 0; at < scores.length; at++) if (scores[at]! > 0) places[count++] = at;
  return places.subarray(0, count);
}
