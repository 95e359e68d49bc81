import * as z from 'zod/mini';
import { expectation } from '../base/expectation.ts';
import { nearest } from '../base/nearest.ts';
import { strategyNames } from '../state.ts';

/** An error for the client. Clients may depend on its code. */
export class ToolFailure extends Error {
  readonly code: string;
  /** @param code such as `context_not_found`. */
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const failed = (message: string) => new ToolFailure('invalid_arguments', message);

function problemOf({ issues: [issue] }: z.core.$ZodError, given: Readonly<Record<string, unknown>>): string {
  const [name, ...inner] = issue!.path.map(String);
  if (name !== undefined && given[name] === undefined) return `The argument "${name}" is missing.`;
  return `The argument "${[name, ...inner].join('.')}" cannot be used: ${expectation(issue)}.`;
}

/** Throws ToolFailure `invalid_arguments` for an unknown argument. */
export function checkNames(fields: object, given: object): void {
  const known = Object.keys(fields);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const hint = near === null ? `The arguments are ${known.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  throw failed(`There is no argument "${unknown.slice(0, 100)}". ${hint}`);
}

/** Reads the arguments of a tool call. Throws ToolFailure `invalid_arguments`. */
export function readArguments<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  checkNames((schema as unknown as z.ZodMiniObject).shape, values);
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

/** The parameters of tools that take a question: models and depth. */
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

/** The parameters of a whole question: strategy, role, limits and `wishes`. */
export const questionWishes = {
  strategy: z.optional(
    z
      .enum(['auto', ...strategyNames])
      .check(z.describe('auto (default) takes the cheapest strategy that suffices; scan reads all of the text.')),
  ),
  role: z.optional(
    words('Name of a role, such as debugger or architecture, which sets what to look for and how to answer.'),
  ),
  max_calls: z.optional(z.number().check(z.int(), z.gte(1), z.describe('Maximum number of model calls.'))),
  max_tokens: z.optional(z.number().check(z.int(), z.gte(1), z.describe('Maximum number of tokens in total.'))),
  max_cost_usd: z.optional(z.number().check(z.gte(0), z.describe('Maximum cost in total, in USD.'))),
  timeout_seconds: z.optional(z.number().check(z.gte(1), z.describe('Maximum time in total, in seconds.'))),
  ...wishes,
};

/** A client's wishes for a question. A wish that the client does not set is undefined. */
export type Wishes = z.infer<z.ZodMiniObject<typeof questionWishes>>;

const deepest = 5;

export function checkDepth({ max_depth: depth = 0 }: Wishes): void {
  if (!Number.isInteger(depth) || depth < 0 || depth > deepest)
    throw new ToolFailure('invalid_max_depth', `max_depth must be between 0 and ${deepest}`);
}
