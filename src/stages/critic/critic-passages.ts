import { fitInTurns } from '../../run/text/fit-passages.ts';
import type { Passage, TreeNode } from '../../state.ts';

/** The passages that fit a prompt, and how many others there are. */
export interface Fitting {
  readonly passages: readonly Passage[];
  readonly leftOut: number;
}

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

/**
 * As many of the passages as fit, in their order, so that every part of the question gets its turn.
 * @param room in bytes.
 */
export function fitPassages(passages: readonly Passage[], tree: TreeNode, room: number): Fitting {
  const kept = new Set(fitInTurns(byPart(passages, tree), room));
  return { passages: passages.filter((passage) => kept.has(passage)), leftOut: passages.length - kept.size };
}
