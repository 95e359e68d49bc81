import { RlmError } from '../../errors.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import type { RunModel } from '../roster.ts';
import type { Speed } from './serving/pace.ts';

/** What a model may say of itself that it can, and be refused by its server all the same. */
export type Ability = 'structuredOutput' | 'tools';

/** What was found out of models, in this run and before. */
export interface KnownModels {
  lacks(model: RunModel, ability: Ability): boolean;
  /** Remembers it for this run, and for later ones where that is wanted. */
  learn(model: RunModel, ability: Ability): void;
  /** How fast it was; null: nobody has seen it yet. */
  speedOf(model: RunModel): Speed | null;
  /** Remembers how fast it is, likewise. */
  clock(model: RunModel, speed: Speed): void;
}

/** What a model can do, as far as it is known, but for one of them. */
export function abilitiesOf(model: RunModel, known: KnownModels, without: Ability | null) {
  const has = (ability: Ability) => model.info[ability] && ability !== without && !known.lacks(model, ability);
  return { structuredOutput: has('structuredOutput'), tools: has('tools') };
}

const words: Readonly<Record<Ability, RegExp>> = {
  structuredOutput: /response_?format|json_?(schema|object)|structured[ _]output|schema|grammar|\bformat\b/i,
  tools: /\btools?\b|tool_(choice|calls?)|function[ _]call/i,
};

/** The ability that a form needs beyond plain text, or null. */
const neededBy = (form: ReplyForm): Ability | null =>
  form === 'json' ? 'structuredOutput' : form === 'tools' ? 'tools' : null;

/** Which ability the server has refused, going by its words; null where the request was wrong in another way. */
export function refusedAbility(error: unknown, form: ReplyForm): Ability | null {
  const ability = neededBy(form);
  const isRefused = error instanceof RlmError && error.code === 'request-refused';
  return ability !== null && isRefused && words[ability].test(error.message) ? ability : null;
}

/** The ability that a recorded call may have been made without, where a recording lacks the one that was looked for. */
export const missedForm = (error: unknown, form: ReplyForm): Ability | null =>
  error instanceof RlmError && error.code === 'call-not-recorded' ? neededBy(form) : null;
