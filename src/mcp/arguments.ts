import * as z from 'zod/mini';
import { nearest } from '../base/nearest.ts';

/** An error that the client can correct or should know about. Its code is part of the protocol with clients. */
export class ToolFailure extends Error {
  readonly code: string;
  /** @param code such as `context_not_found`. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const failed = (message: string) => new ToolFailure('invalid_arguments', message);

/** Describes the first problem of the arguments, and names the argument. */
function problemOf({ issues: [issue] }: z.core.$ZodError, given: Readonly<Record<string, unknown>>): string {
  const [name, ...inner] = issue!.path.map(String);
  if (name !== undefined && given[name] === undefined) return `The argument "${name}" is missing.`;
  return `The argument "${[name, ...inner].join('.')}" cannot be used: ${issue!.message}.`;
}

/**
 * Reads the arguments of a tool call.
 * @param schema the tool's input, an object.
 * @throws ToolFailure `invalid_arguments` for an unknown, missing or wrong argument.
 */
export function readArguments<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const known = Object.keys((schema as unknown as z.ZodMiniObject).shape);
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const hint = near === null ? `The arguments are ${known.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
    throw failed(`There is no argument "${unknown.slice(0, 100)}". ${hint}`);
  }
  const read = schema.safeParse(values);
  if (!read.success) throw failed(problemOf(read.error, values));
  return read.data;
}

/** A string with a description for the client's model. */
export const words = (about: string) => z.string().check(z.describe(about));

/** An integer from `least` to `most`, with a description for the client's model. */
export const wholeNumber = (least: number, most: number, about: string) =>
  z.number().check(z.int(), z.gte(least), z.lte(most), z.describe(about));

export const contextName = words('Name of a loaded context, as returned by rlm_load_context.');

/** The parameters for models and limits, which every tool that calls a model has. */
export const wishes = {
  provider: z.optional(words("The provider; default: the user's. Only providers in the user's settings are allowed.")),
  model: z.optional(words("The model; default: the user's.")),
  max_depth: z.optional(
    z.number().check(z.describe("Greatest depth of sub-questions, 0–5, at most the user's limit.")),
  ),
  recursive_provider: z.optional(words('The provider for questions below the root.')),
  recursive_model: z.optional(words('The model for questions below the root.')),
  model_tiers: z.optional(
    z.record(z.string().check(z.regex(/^\d$/)), z.string()).check(z.describe('Models by depth: {"0": …, "1": …}.')),
  ),
  tier_strategy: z.optional(words("A preset of models: fully-local, or the user's preset.")),
};

/** The values of the parameters in `wishes`. */
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

/** Converts the parameters to `Wishes`. Throws ToolFailure `invalid_max_depth`. */
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
