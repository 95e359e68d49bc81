import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import type { PromptName, ReplyWithOdds, Variables } from '../prompts/index.ts';
import type { Role } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { RunBudget } from './run-budget.ts';
import type { RunEvents } from './run-events.ts';
import type { RunModels } from './run-models.ts';
import type { RunPlace } from './run-place.ts';
import type { RunPassages } from './text/run-passages.ts';
import type { RunText } from './text/run-text.ts';

/**
 * What stages and strategies work with. It names no concrete provider or retriever, and has no getters: a run over
 * another text is a copy with another `text` and other `passages`.
 */
export interface Run {
  readonly id: string;
  readonly settings: Settings;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  /** The form that the answer is asked for in; null: prose. */
  readonly schema: AnswerSchema | null;
  /** What the question is about. */
  readonly text: RunText;
  /** Passages of it: found, read, and remembered by their ids. */
  readonly passages: RunPassages;
  /** Who replies, and the room in their prompts. */
  readonly models: RunModels;
  /** Calls, tokens, money, searches and time; and whether the run has to end. */
  readonly budget: RunBudget;
  /** The listeners, and the usage, which is counted from events. */
  readonly events: RunEvents;
  /**
   * Asks a model: the one door. Throws `RlmError`: a limit, an interruption, a provider's failure, or `reply-unusable`
   * when the reply could not be read even after one repair turn.
   */
  ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: RunPlace): Promise<ReplyWithOdds<N>>;
  /**
   * This run over another text, for a question about that alone: a part of its text, or a text that was made of it.
   * Budget, calls and events are the same. A part has no files.
   */
  within(text: ContextStore): Run;
}
