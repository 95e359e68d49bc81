import type { Share } from './door/budget.ts';

/** Where a call belongs, and which share of the budget it may use. */
export interface RunPlace {
  /** A node's path in the tree, or a stage's name. */
  readonly path: string;
  readonly share: Share;
  /**
   * Tells apart calls of one prompt at one path that may be made in any order; where it is missing, they are told apart
   * by the order in which they are made.
   */
  readonly part?: string;
  /** Whether the reply is only a piece of what is composed; default: no. */
  readonly isPiece?: boolean;
}
