import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import type { PromptName, ReplyWithOdds, Variables } from '../prompts/index.ts';
import type { Role } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { RunBudget } from './door/budget.ts';
import type { RunModels } from './door/serve.ts';
import type { RunPlace } from './roster.ts';
import type { RunEvents } from './run-events.ts';
import type { RunPassages, RunText } from './text/run-text.ts';

/** Everything that stages and strategies use. */
export interface Run {
  readonly id: string;
  readonly settings: Settings;
  readonly role: Role | null;
  /** Null if the answer is prose. */
  readonly schema: AnswerSchema | null;
  readonly text: RunText;
  readonly passages: RunPassages;
  readonly models: RunModels;
  readonly budget: RunBudget;
  readonly events: RunEvents;
  /** Asks a model. Throws `RlmError`. */
  ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: RunPlace): Promise<ReplyWithOdds<N>>;
  /** Returns a run over another text, without files. It shares the budget, calls and events of this run. */
  within(text: ContextStore): Run;
}
