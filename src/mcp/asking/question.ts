/** A question with its text, as rlm_ask and rlm_start take it. */
import * as z from 'zod/mini';
import { strategyNames } from '../../index.ts';
import { wishes, wishesOf, words } from '../parameters.ts';
import { filesAt } from '../text/documents.ts';
import type { Call } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';
import type { Asked, AskedText } from './asking.ts';

export const questionInput = z.object({
  question: words('What you want to know, in a sentence.'),
  paths: z.optional(
    z.array(z.string()).check(z.describe('Files, folders and globs under the roots that the user allows.')),
  ),
  context: z.optional(words('Name of a loaded context, in place of paths.')),
  content: z.optional(words('The text itself, where it is short, in place of paths.')),
  strategy: z.optional(
    z
      .enum(['auto', ...strategyNames])
      .check(z.describe('auto (default) takes the cheapest that does; scan reads all of the text.')),
  ),
  role: z.optional(words('The name of a role, such as debugger or architecture: what to look at and how to answer.')),
  max_calls: z.optional(z.number().check(z.int(), z.gte(1), z.describe('Requests to a model, at most.'))),
  max_tokens: z.optional(z.number().check(z.int(), z.gte(1), z.describe('Tokens in all, at most.'))),
  max_cost_usd: z.optional(z.number().check(z.gte(0), z.describe('Money in all, at most.'))),
  timeout_seconds: z.optional(z.number().check(z.gte(1), z.describe('Time in all, at most.'))),
  ...wishes,
});

export type GivenQuestion = z.infer<typeof questionInput>;

/** The text that is asked about: paths, a context or content; all roots, where nothing is named. */
async function textFor({ paths, context, content }: GivenQuestion, call: Call): Promise<AskedText> {
  const named = [paths, context, content].filter((one) => one !== undefined);
  if (named.length > 1)
    throw new ToolFailure('invalid_arguments', 'Give one of paths, context and content, not several.');
  if (context !== undefined) return { context: (await call.world.contexts.get(context)).context };
  if (content !== undefined) return { documents: [{ name: 'content', text: content }] };
  const { files } = call.world;
  if (paths === undefined && files === null)
    throw new ToolFailure('no_text', 'There is no text to ask about. Give content, a context, or paths under a root.');
  return { documents: await filesAt(paths ?? files!.roots, call) };
}

/** The question as the server asks it. Throws ToolFailure; RlmError `input-missing`. */
export async function toAsked(given: GivenQuestion, call: Call): Promise<Asked> {
  const { question, strategy, role, max_calls: maxCalls, max_tokens: maxTokens, max_cost_usd: maxCost } = given;
  const limits = { maxCalls, maxTokens, maxCost, timeout: given.timeout_seconds };
  return {
    question,
    text: await textFor(given, call),
    wishes: { ...wishesOf(given), ...limits, strategy, role },
  };
}
