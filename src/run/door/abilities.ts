import { RlmError } from '../../errors.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import type { RunModel } from '../roster.ts';
import type { Speed } from './serving/pace.ts';

/** Abilities that a model reports, and its server may refuse nevertheless. */
export type Ability = 'structuredOutput' | 'tools';

/** What is known about models from this run and earlier ones. */
export interface KnownModels {
  lacks(model: RunModel, ability: Ability): boolean;
  /** Remembers it for this run, and for later ones where that is wanted. */
  learn(model: RunModel, ability: Ability): void;
  /** Its measured speed; null when it was not measured yet. */
  speedOf(model: RunModel): Speed | null;
  /** Remembers its speed, for later runs too where that is wanted. */
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
