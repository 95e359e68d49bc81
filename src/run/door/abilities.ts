import { RlmError } from '../../errors.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import type { RunModel } from '../roster.ts';
import type { Speed } from './pace.ts';

/** Abilities that a model reports, but its server may still refuse. */
export type Ability = 'structuredOutput' | 'tools';

/** What a model may lack: an ability, or a known price. */
export type Lack = Ability | 'price';

export interface KnownModels {
  lacks(model: RunModel, lack: Lack): boolean;
  /** Remembers what the model lacks: for this run, and for later ones where the settings allow it. */
  learn(model: RunModel, lack: Lack): void;
  /** Returns the measured speed; null before the first measurement. */
  speedOf(model: RunModel): Speed | null;
  /** Remembers the speed, also for later runs where the settings allow it. */
  clock(model: RunModel, speed: Speed): void;
}

/** Returns the model's known abilities, except `without`. */
export function abilitiesOf(model: RunModel, known: KnownModels, without: Ability | null) {
  const has = (ability: Ability) => model.info[ability] && ability !== without && !known.lacks(model, ability);
  return { structuredOutput: has('structuredOutput'), tools: has('tools') };
}

const words: Readonly<Record<Ability, RegExp>> = {
  structuredOutput: /response_?format|json_?(schema|object)|structured[ _]output|schema|grammar|\bformat\b/i,
  tools: /\btools?\b|tool_(choice|calls?)|function[ _]call/i,
};

/** Returns the ability that a reply form needs beyond plain text, or null. */
const neededBy = (form: ReplyForm): Ability | null =>
  form === 'json' ? 'structuredOutput' : form === 'tools' ? 'tools' : null;

/** Returns the ability that the server refused, judged by its error message, or null. */
export function refusedAbility(error: unknown, form: ReplyForm): Ability | null {
  const ability = neededBy(form);
  const isRefused = error instanceof RlmError && error.code === 'request-refused';
  return ability !== null && isRefused && words[ability].test(error.message) ? ability : null;
}

/** Returns the ability that a recorded call may have been made without, or null. */
export const missedForm = (error: unknown, form: ReplyForm): Ability | null =>
  error instanceof RlmError && error.code === 'call-not-recorded' ? neededBy(form) : null;
