import type { ContextStore } from '../../context/document.ts';
import type { TreeNode } from '../../state.ts';

/** A question about a part of the text, or about all of it (null). */
export interface SubQuery {
  readonly question: string;
  readonly text: ContextStore | null;
}

/** Asks what cannot be looked up. */
export interface Questions {
  /** Why no sub-queries may be asked, or null. */
  refusal(): string | null;
  /**
   * Each is answered by the whole procedure, one level deeper; all at once. They are numbered in the order in which
   * this is called, before it waits for anything.
   */
  ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]>;
  /** What one call has room for, in bytes. */
  readonly roomBytes: number;
  /**
   * What a model says to a text, in one call.
   * @throws ToolError when its reply cannot be used; RlmError for what ends the run.
   */
  query(text: string): Promise<string>;
}
