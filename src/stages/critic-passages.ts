import { passageOverheadBytes } from '../run/window.ts';
import type { Passage, TreeNode } from '../state.ts';

/** The passages that fit a prompt, and how many others there are. */
export interface Fitting {
  readonly passages: readonly Passage[];
  readonly leftOut: number;
}

/** What a passage takes in a prompt: its text and its tags, which name its source. */
const bytesOf = ({ text, source }: Passage): number =>
  Buffer.byteLength(text) + Buffer.byteLength(source) + passageOverheadBytes;

/** The passages in groups, by the first part of the question that cites them. */
function byPart(passages: readonly Passage[], { children }: TreeNode): Passage[][] {
  const cites = children.map(({ citations }) => new Set(citations.map(({ passage }) => passage)));
  const groups = new Map<number, Passage[]>();
  for (const passage of passages) {
    const part = cites.findIndex((cited) => cited.has(passage.id));
    groups.set(part, [...(groups.get(part) ?? []), passage]);
  }
  return [...groups.values()];
}

/** The first of each group, then the second of each, and so on. */
function inTurns<T>(groups: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}

/**
 * As many of the passages as fit, in their order, so that every part of the question gets its turn.
 * @param room in bytes.
 */
export function fitPassages(passages: readonly Passage[], tree: TreeNode, room: number): Fitting {
  let left = room;
  const kept = new Set<Passage>();
  for (const passage of inTurns(byPart(passages, tree))) {
    if (bytesOf(passage) > left) continue;
    left -= bytesOf(passage);
    kept.add(passage);
  }
  return { passages: passages.filter((passage) => kept.has(passage)), leftOut: passages.length - kept.size };
}
