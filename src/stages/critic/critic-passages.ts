import { fitInTurns } from '../../run/text/fit-passages.ts';
import type { Passage, TreeNode } from '../../state.ts';

/** The passages that fit a prompt, and the number of those that do not. */
export interface Fitting {
  readonly passages: readonly Passage[];
  readonly leftOut: number;
}

/** Groups passages by the first part of the question that cites them. */
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
 * Returns as many of the passages as fit, in their order, taken from each part of the question in turn.
 * @param room room for passages, in bytes.
 */
export function fitPassages(passages: readonly Passage[], tree: TreeNode, room: number): Fitting {
  const kept = new Set(fitInTurns(byPart(passages, tree), room));
  return { passages: passages.filter((passage) => kept.has(passage)), leftOut: passages.length - kept.size };
}
