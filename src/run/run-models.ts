import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';
import type { ServingModel } from './door/asked.ts';
import { smallestSeen } from './door/serving/sizing.ts';
import type { Roster } from './roster.ts';

/** The models of a run, and the room in their prompts. */
export interface RunModels {
  /** Returns the model that is asked first with the prompt at the path. */
  info(prompt: PromptName, path: string): ModelInfo;
  /** Returns how long that model takes for a call of `tokens`, in ms; null until its speed is known. */
  msFor(prompt: PromptName, path: string, tokens: Tokens): number | null;
  /** Returns the bytes of passages, tags included, that fit a prompt of any of the models. */
  passageBytes(): number;
  /** Returns the same for the models that serve the prompt at the path. */
  roomFor(prompt: PromptName, path: string): number;
  /** Returns a number that changes when windows grow, or when a server refuses a prompt as too long. */
  roomNow(): number;
  /** Switches to the models' largest windows, which a conversation needs. */
  widen(): void;
}

/** @param roster the models; their windows may change when `widen` is called. */
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
