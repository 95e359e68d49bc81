import type { ContextStore } from '../../context/document.ts';
import type { TreeNode } from '../../state.ts';

/** A question about a part of the text, or about all of it (null). */
export interface SubQuery {
  readonly question: string;
  readonly text: ContextStore | null;
}

/** Asks further questions. */
export interface Questions {
  /** Why no sub-queries may be asked, or null. */
  refusal(): string | null;
  /**
   * Answers each by the whole procedure, one level deeper, all concurrently. They are numbered in the order of the
   * calls of this function.
   */
  ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]>;
}
