import { weigh } from '../../context/text-size.ts';
import { underBytes } from '../../context/under/passage-under.ts';
import type { Passage } from '../../state.ts';
import { passageOverheadBytes } from '../door/window.ts';

/**
 * Returns the room that a passage takes in a prompt, in bytes of ordinary text: its text, and its tags with the name
 * of its source.
 */
export const passageBytes = (passage: Passage): number =>
  weigh(passage.text) + Buffer.byteLength(passage.source) + underBytes(passage) + passageOverheadBytes;

/** Interleaves groups: the first of each, then the second of each, and so on. */
function inTurns<T>(groups: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}

/**
 * Returns as many passages as fit, each once: the first of each group, then the second of each, and so on.
 * @param room in bytes.
 */
export function fitInTurns(groups: readonly (readonly Passage[])[], room: number): Passage[] {
  let left = room;
  const kept = new Map<string, Passage>();
  for (const passage of inTurns(groups)) {
    if (kept.has(passage.id) || passageBytes(passage) > left) continue;
    left -= passageBytes(passage);
    kept.set(passage.id, passage);
  }
  return [...kept.values()];
}
