/** The input of rlm_ask and rlm_start: a question with its text. */
import * as z from 'zod/mini';
import { checkDepth, questionWishes, ToolFailure, words } from '../arguments.ts';
import { filesAt, wholeDocument } from '../text/documents.ts';
import type { Call } from '../tool.ts';
import type { AskedQuestion, AskedText } from './asking.ts';

export const questionInput = z.object({
  question: words('The question, in one sentence.'),
  paths: z.optional(
    z.array(z.string()).check(z.describe('Files, folders and globs under the roots that the user allows.')),
  ),
  context: z.optional(words('Name of a loaded context, instead of paths.')),
  content: z.optional(words('The text itself, if it is short, instead of paths.')),
  ...questionWishes,
});

export type GivenQuestion = z.infer<typeof questionInput>;

/**
 * Returns the text of a question: its paths, context or content, or the index or all roots when it names none of
 * these.
 */
async function textFor({ paths, context, content }: GivenQuestion, call: Call): Promise<AskedText> {
  const named = [paths, context, content].filter((one) => one !== undefined);
  if (named.length > 1) throw new ToolFailure('invalid_arguments', 'Give only one of paths, context and content.');
  if (context !== undefined) return wholeDocument(await call.world.contexts.get(context));
  if (content !== undefined) return { documents: [{ name: 'content', text: content }] };
  const { files, index } = call.world;
  if (paths === undefined && index !== null) return { index };
  if (paths === undefined && files === null)
    throw new ToolFailure('no_text', 'The question has no text. Give content, a context, or paths under a root.');
  return { documents: await filesAt(paths ?? files!.roots, call) };
}

/**
 * Converts the input of a tool to a question that the server can ask.
 * @throws ToolFailure when the input is invalid or names several texts or none; RlmError `input-missing`.
 */
export async function toAsked(given: GivenQuestion, call: Call): Promise<AskedQuestion> {
  const text = await textFor(given, call);
  checkDepth(given);
  return { question: given.question, text, wishes: given };
}
