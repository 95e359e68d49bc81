import type * as z from 'zod/mini';
import type { ContextStore } from '../context/document.ts';
import type { Contexts } from './contexts/contexts.ts';
import type { FileLines } from './files/file-passage.ts';
import type { FileAccess } from './files/walls/file-access.ts';
import type { Questions } from './questions/questions.ts';

/** The size limit of a result. A result says what was left out, and how to see it. */
export interface Bounds {
  /** In UTF-16 units. */
  readonly characters: number;
  readonly lines: number;
}

/** What tools work on. Nothing in it can change a setting, a limit, a root or a host. */
export interface ToolWorld {
  readonly bounds: Bounds;
  /** The text outside the prompt. */
  readonly store: ContextStore;
  /** The named contexts: parts of the text, the whole of it first. */
  readonly contexts: Contexts;
  /** Files under the roots; null where no roots were given. */
  readonly files: FileAccess | null;
  /** Asks further questions; null where none may be asked. */
  readonly questions: Questions | null;
  /** Makes lines of a file that are shown citable, and returns the id of their passage. */
  cite(lines: FileLines): string;
  readonly signal: AbortSignal;
}

/**
 * An action that a model may take. Its forms for models, JSON and MCP and its documentation are made from the name, the
 * schema and the words here.
 */
export interface Tool<A = unknown> {
  /** Such as `search_context`. */
  readonly name: string;
  /** What it does and returns, for the model, in one or two sentences. */
  readonly about: string;
  /** Schema of its arguments, an object. Descriptions of fields are for the model. */
  readonly parameters: z.ZodMiniType<A>;
  /** Valid arguments, shown after a wrong call. */
  readonly example: A;
  /** What it needs besides the text. */
  readonly needs: 'text' | 'files' | 'questions' | 'nothing';
  /**
   * Runs the tool.
   * @returns text for the model, within the bounds.
   * @throws ToolError for what the model can mend (no such file, a wrong pattern); RlmError for what ends the run.
   */
  run(given: A, world: ToolWorld): Promise<string>;
}
