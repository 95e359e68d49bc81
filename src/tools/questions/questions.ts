import type { ContextStore } from '../../context/document.ts';
import type { TreeNode } from '../../state.ts';
import type { AnswerTables } from './answer-tables.ts';

/** A question about a part of the text, or about all of it (null). */
export interface SubQuery {
  readonly question: string;
  readonly text: ContextStore | null;
}

/** Items that a model gives labels. */
export interface LabelRequest {
  /** What decides the label of an item. */
  readonly question: string;
  /** At most 26. */
  readonly labels: readonly string[];
  readonly items: readonly string[];
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
  /**
   * Gives each item a label, as many items in a call as fit; null where the model gave none.
   * @throws ToolError when too few calls are left.
   */
  label(request: LabelRequest): Promise<readonly (string | null)[]>;
  /** What was answered, for SQL. */
  readonly tables: AnswerTables;
}
