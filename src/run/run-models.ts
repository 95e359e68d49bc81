import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';
import type { ServingModel } from './door/asked.ts';
import { smallestSeen } from './door/serving/sizing.ts';
import type { Roster } from './roster.ts';

/** Who replies in a run, and the room in their prompts. */
export interface RunModels {
  /** The model that is asked first with that prompt at that place. */
  info(prompt: PromptName, path: string): ModelInfo;
  /** How long that model takes for a call of so many tokens, in ms; null as long as its speed is not known. */
  msFor(prompt: PromptName, path: string, tokens: Tokens): number | null;
  /** Bytes of passages, their tags included, that every prompt has room for, whichever model gets it. */
  passageBytes(): number;
  /** The same for the models that get that prompt at that place in the tree. */
  roomFor(prompt: PromptName, path: string): number;
  /** A number that changes when windows become larger, or a server refuses a prompt as too long. */
  roomNow(): number;
  /** From now on the models' largest windows are used, as a conversation needs them. */
  widen(): void;
}

/** @param roster may change its windows when `widen` is called. */
export function createRunModels(roster: Roster<ServingModel>, widen: () => void): RunModels {
  const first = (prompt: PromptName, path: string) => roster.modelsFor(prompt, path)[0]!;
  return {
    info: (prompt, path) => first(prompt, path).info,
    msFor: (prompt, path, tokens) => first(prompt, path).pace.msFor(tokens),
    passageBytes: () => smallestSeen(roster.models).passageBytes,
    roomFor: (prompt, path) => smallestSeen(roster.modelsFor(prompt, path)).passageBytes,
    roomNow: () => roster.models.reduce((sum, { window, sizing }) => sum + window.tokens - sizing.refusals, 0),
    widen,
  };
}
