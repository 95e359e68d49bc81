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
  /** The role whose words are added to prompts; null: none. */
  readonly role: Role | null;
  /** The schema of the answer; null: prose. */
  readonly schema: AnswerSchema | null;
  readonly text: RunText;
  /** Finds and reads passages of the text, and remembers them by id. */
  readonly passages: RunPassages;
  readonly models: RunModels;
  /** The limits on calls, tokens, money, searches and time, and why the run has to end, if it does. */
  readonly budget: RunBudget;
  readonly events: RunEvents;
  /** Asks a model. Throws `RlmError`: a limit, an interruption, a provider's failure, or `reply-unusable`. */
  ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: RunPlace): Promise<ReplyWithOdds<N>>;
  /** Returns this run over another text, without files; budget, calls and events are shared. */
  within(text: ContextStore): Run;
}
