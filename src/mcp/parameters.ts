/** Parameters that several tools have. */
import * as z from 'zod/mini';
import { ToolFailure } from './tool-failure.ts';

/** A string with words for the model. */
export const words = (about: string) => z.string().check(z.describe(about));

/** A whole number within bounds, with words for the model. */
export const whole = (least: number, most: number, about: string) =>
  z.number().check(z.int(), z.gte(least), z.lte(most), z.describe(about));

export const contextName = words('Name of a loaded context, as rlm_load_context gave it.');

/** Models and limits, as every tool that asks has them. */
export const wishes = {
  provider: z.optional(words('Who answers; default: as the user has set. Only providers that the user has chosen.')),
  model: z.optional(words('The model; default: as the user has set.')),
  max_depth: z.optional(
    z.number().check(z.describe('How deep the question may be split, 0–5, at most the limit of the user.')),
  ),
  recursive_provider: z.optional(words('The provider for questions below the root.')),
  recursive_model: z.optional(words('The model for questions below the root.')),
  model_tiers: z.optional(
    z.record(z.string().check(z.regex(/^\d$/)), z.string()).check(z.describe('Models by depth: {"0": …, "1": …}.')),
  ),
  tier_strategy: z.optional(words('A preset of models: fully-local, or the one that the user has set.')),
};

/** What a request of `wishes` holds. */
export interface GivenWishes {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly max_depth?: number | undefined;
  readonly recursive_provider?: string | undefined;
  readonly recursive_model?: string | undefined;
  readonly model_tiers?: Readonly<Record<string, string>> | undefined;
  readonly tier_strategy?: string | undefined;
}

const deepest = 5;

/** The same in our words. Throws ToolFailure `invalid_max_depth`. */
export function wishesOf(given: GivenWishes) {
  const { max_depth: maxDepth } = given;
  if (maxDepth !== undefined && !(Number.isInteger(maxDepth) && maxDepth >= 0 && maxDepth <= deepest))
    throw new ToolFailure('invalid_max_depth', `max_depth must be between 0 and ${deepest}`);
  return {
    provider: given.provider,
    model: given.model,
    maxDepth,
    recursiveProvider: given.recursive_provider,
    recursiveModel: given.recursive_model,
    modelTiers: given.model_tiers,
    preset: given.tier_strategy,
  };
}
