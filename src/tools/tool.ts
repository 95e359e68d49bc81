/** Arguments that several tools take. */

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

/** What a result shows within some bounds. */
export interface Shown {
  readonly text: string;
  /** The passages that can be cited for it. */
  readonly passages: readonly Passage[];
}

/**
 * A result that is rendered within the bounds that its call gets, once the sizes of all results of a step are known.
 */
export type FittingResult = (bounds: Bounds) => Shown;

/** Something that a model found and wants to keep. */
export interface Note {
  /** With the ids of the passages that it rests on in square brackets. */
  readonly text: string;
  /** Words of such a passage; empty: none. */
  readonly quote: string;
}

/** A value that a tool computed: the call that computed it, and its output. */
interface ComputedValue {
  /** The tool's name. */
  readonly by: string;
  /** The query or the arguments. */
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
  /**
   * Finds passages of the text, or of a part of it, that match a query, the best first.
   * @param exclude ids of passages to leave out.
   * @throws ToolError when no more searches may be made.
   */
  find(query: string, part: ContextStore | null, exclude: ReadonlySet<string>): Promise<readonly Passage[]>;
  /** Makes a computed value citable. */
  compute(value: ComputedValue): Passage;
  /**
   * Keeps a note word for word.
   * @returns what the model is told.
   * @throws ToolError when its quote does not stand in the text.
   */
  note(note: Note): string;
  readonly signal: AbortSignal;
}

/**
 * An action that a model may take. Its forms for models, JSON and MCP and its documentation are made from the name, the
 * schema and the words here.
 */
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
  /**
   * What has to be there for it: texts that can be read, several of them, code, records, further questions, or a run.
   */
  readonly needs: 'texts' | 'several texts' | 'code' | 'records' | 'questions' | 'run';
  /**
   * Runs the tool.
   * @returns text that is always shown whole, or a result that fits the bounds it gets.
   * @throws ToolError for what the model can mend (no such file, a wrong pattern); RlmError for what ends the run.
   */
  run(given: A, world: ToolWorld): Promise<string | FittingResult>;
}
