import type * as z from 'zod/mini';
import type { ContextStore } from '../context/document.ts';
import type { Contexts } from './contexts/contexts.ts';
import type { FileLines } from './files/file-passage.ts';
import type { FileAccess } from './files/walls/file-access.ts';
import type { Questions } from './questions/questions.ts';

/** How much of a result is shown. What is left out is said in the result, and how to see it. */
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
  /** Asks further questions; null where there may be none. */
  readonly questions: Questions | null;
  /**
   * Takes lines of a file that are shown: from then on they can be cited. Gives the id of the passage that they
   * are.
   */
  cite(lines: FileLines): string;
  readonly signal: AbortSignal;
}

/**
 * Something that a model may do. The name, the schema and the words are all that the model's, the JSON and the MCP form
 * and the documentation are made from.
 */
export interface Tool<A = unknown> {
  /** Such as `search_context`. */
  readonly name: string;
  /** What it does and gives, for the model, in one or two sentences. */
  readonly about: string;
  /** Of its arguments, an object. Descriptions of fields are for the model. */
  readonly parameters: z.ZodMiniType<A>;
  /** Arguments that are right, to be shown when a call was wrong. */
  readonly example: A;
  /** What of the world it needs, besides the text. */
  readonly needs: 'text' | 'files' | 'questions' | 'nothing';
  /**
   * Carries it out.
   * @returns text for the model, within the bounds.
   * @throws ToolError for what the model can mend (no such file, a wrong pattern); RlmError for what ends the run.
   */
  run(given: A, world: ToolWorld): Promise<string>;
}
