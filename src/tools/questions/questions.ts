import type { ContextStore } from '../../context/document.ts';
import type { TreeNode } from '../../state.ts';

/** A question about a part of the text, or about all of it (null). */
export interface SubQuery {
  readonly question: string;
  readonly text: ContextStore | null;
}

/** Asks further questions and models. */
export interface Questions {
  /** Why no sub-queries may be asked, or null. */
  refusal(): string | null;
  /**
   * Answers each by the whole procedure, one level deeper, all concurrently. They are numbered in the order of the
   * calls of this function.
   */
  ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]>;
  /** The room of one call, in bytes. */
  readonly roomBytes: number;
  /**
   * Asks a model about a text, in one call.
   * @throws ToolError when its reply cannot be used; RlmError for what ends the run.
   */
  query(text: string): Promise<string>;
}
