import * as z from 'zod/mini';
import type { ContextStore } from '../context/document.ts';
import type { Passage } from '../state.ts';
import type { FileAccess } from './files/walls/file-access.ts';
import type { Questions } from './questions/questions.ts';

export const textParameter = (about: string) => z.string().check(z.minLength(1), z.describe(about));

export const optionalText = (about?: string) =>
  z.optional(about === undefined ? z.string() : z.string().check(z.describe(about)));

/** A whole number that may be left out. */
export const optionalWhole = (least: number, about?: string) =>
  z.optional(about === undefined ? z.int().check(z.gte(least)) : z.int().check(z.gte(least), z.describe(about)));

/** Which documents and files a call is about. */
export const somewhere = optionalText('file, folder or glob');

/** The size limit of a result. A result says what was left out, and how to see it. */
export interface Bounds {
  /** In UTF-16 units, of ordinary text. */
  readonly characters: number;
  readonly lines: number;
}

export interface Shown {
  readonly text: string;
  readonly passages: readonly Passage[];
}

/** A result, rendered once the sizes of all results of a step are known. */
export type FittingResult = (bounds: Bounds) => Shown;

/** Something that a model found and wants to keep. */
export interface Note {
  /** With the ids of the passages that it rests on in square brackets. */
  readonly text: string;
  /** Words of such a passage; empty: none. */
  readonly quote: string;
}

/** A value that a tool computed: the tool's name, the query or arguments, and the output. */
interface ComputedValue {
  readonly by: string;
  readonly code: string;
  readonly output: string;
}

/** What tools work on. Nothing in it can change a setting, a limit, a root or a host. */
export interface ToolWorld {
  /** The room for all results of a step together. */
  readonly bounds: Bounds;
  /** The text outside the prompt. */
  readonly store: ContextStore;
  /** Files under the roots; null where no roots were given. */
  readonly files: FileAccess | null;
  /** Size of the text that one sub-query has room for, in bytes. */
  readonly pieceBytes: number;
  /** Asks further questions; null where none may be asked. */
  readonly questions: Questions | null;
  /** Finds the best passages for a query. Throws ToolError when no more searches may be made. */
  find(query: string, part: ContextStore | null, exclude: ReadonlySet<string>): Promise<readonly Passage[]>;
  compute(value: ComputedValue): Passage;
  /** Keeps a note and returns what the model is told. Throws ToolError when the text does not have its quote. */
  note(note: Note): string;
  readonly signal: AbortSignal;
}

/** An action that a model may take. Its forms and its documentation are made from the words here. */
export interface Tool<A = unknown> {
  /** Such as `read_file`. */
  readonly name: string;
  /** What it does and returns, for the model, in one or two sentences. */
  readonly about: string;
  /** Schema of its arguments, an object. Descriptions of fields are for the model. */
  readonly parameters: z.ZodMiniType<A>;
  /** Valid arguments, shown after a wrong call. */
  readonly example: A;
  /** Arguments that are left out of a call where they cannot be read; default: none. */
  readonly lenient?: readonly string[];
  readonly needs: 'texts' | 'several texts' | 'code' | 'records' | 'questions' | 'run';
  /**
   * Runs the tool.
   * @returns text that is always shown whole, or a result that fits the bounds it gets.
   * @throws ToolError for what the model can mend (no such file, a wrong pattern); RlmError for what ends the run.
   */
  run(given: A, world: ToolWorld): Promise<string | FittingResult>;
}
