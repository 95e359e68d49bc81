import type { Share } from './door/budget.ts';

/** Where a call belongs, and which share of the budget it may use. */
export interface RunPlace {
  /** A node's path in the tree, or a stage's name. */
  readonly path: string;
  readonly share: Share;
  /**
   * Identifies one of several calls of a prompt at one path that may be made in any order; without it, their order
   * identifies them.
   */
  readonly part?: string;
  /** Whether the reply is one part of a composed answer; default: false. */
  readonly isPiece?: boolean;
}
