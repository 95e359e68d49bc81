import * as z from 'zod/mini';
import type { ContextStore } from '../context/document.ts';
import type { Passage } from '../state.ts';
import type { FileAccess } from './files/walls/file-access.ts';
import type { Questions } from './questions/questions.ts';

export const textParameter = (about: string) => z.string().check(z.minLength(1), z.describe(about));

export const optionalText = (about?: string) =>
  z.optional(about === undefined ? z.string() : z.string().check(z.describe(about)));

/** An optional integer. */
export const optionalWhole = (least: number, about?: string) =>
  z.optional(about === undefined ? z.int().check(z.gte(least)) : z.int().check(z.gte(least), z.describe(about)));

export const somewhere = optionalText('file, folder or glob');

/** The size limit of a result. */
export interface Bounds {
  /** In UTF-16 units of ordinary text. */
  readonly characters: number;
  readonly lines: number;
}

export interface Shown {
  readonly text: string;
  readonly passages: readonly Passage[];
}

/** Renders a result within bounds. */
export type FittingResult = (bounds: Bounds) => Shown;

/** Something that a model found and wants to keep. */
export interface Note {
  /** The text, with the ids of its source passages in square brackets. */
  readonly text: string;
  /** A quote from one of these passages; empty if there is none. */
  readonly quote: string;
}

/** A value that a tool computed: the tool's name, the query or arguments, and the output. */
interface ComputedValue {
  readonly by: string;
  readonly code: string;
  readonly output: string;
}

/** What a tool can read and do. */
export interface ToolWorld {
  /** The room for all results of a step together. */
  readonly bounds: Bounds;
  readonly store: ContextStore;
  /** Null if no roots were given. */
  readonly files: FileAccess | null;
  /** Size of the largest text for one sub-query, in bytes. */
  readonly pieceBytes: number;
  /** Null if sub-queries are not allowed. */
  readonly questions: Questions | null;
  /**
   * Finds the best passages for a query in `part`, or in all of the text if `part` is null.
   * @throws ToolError if no search is left.
   */
  find(query: string, part: ContextStore | null, exclude: ReadonlySet<string>): Promise<readonly Passage[]>;
  compute(value: ComputedValue): Passage;
  /** Keeps a note and returns a message for the model. Throws ToolError when the text lacks the note's quote. */
  note(note: Note): string;
  readonly signal: AbortSignal;
}

/** An action that a model can take. */
export interface Tool<A = unknown> {
  readonly name: string;
  /** Description for the model, in one or two sentences. */
  readonly about: string;
  /** Schema of the arguments. The descriptions of its fields are for the model. */
  readonly parameters: z.ZodMiniType<A>;
  /** Valid arguments, shown after a wrong call. */
  readonly example: A;
  /** Arguments that are omitted from a call when they are invalid; default: none. */
  readonly lenient?: readonly string[];
  readonly needs: 'texts' | 'several texts' | 'code' | 'records' | 'questions' | 'run';
  /**
   * @returns text that is always shown whole, or a result that adapts to its bounds.
   * @throws ToolError for a fault that the model can correct, such as an invalid pattern. An RlmError ends the run,
   * unless its code is in `mendable` (toolbox.ts).
   */
  run(given: A, world: ToolWorld): Promise<string | FittingResult>;
}
