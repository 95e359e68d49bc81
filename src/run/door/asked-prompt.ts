import type { Settings } from '../../config/settings.ts';
import { type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../prompts/reply/parse-reply.ts';
import { readForm } from '../../prompts/reply/read-form.ts';
import { readReply } from '../../prompts/reply/read-reply.ts';
import type { KeptReply } from './archive.ts';
import type { Asked } from './asked.ts';

/** Returns the prompt that an input is for. */
export const promptOf = ({ prompt }: PromptInput): Prompt<unknown, Fields> => prompts[prompt] as never;

/** Returns the longest reply to a prompt, in tokens, where the window has room for it. */
export const longestReply = (input: PromptInput, { reply: { maxTokens } }: Settings): number =>
  promptOf(input).longReply === true ? 2 * maxTokens : maxTokens;

/** Parses a reply in the form that was requested. */
export function readAsked(
  { input, form }: Pick<Asked, 'input' | 'form'>,
  reply: Pick<KeptReply, 'text' | 'toolCalls' | 'finish'>,
): ParsedReply<Fields> {
  const { fields, schemaOf } = promptOf(input);
  const own = schemaOf?.(input.variables);
  return own ? readForm(fields, own, reply) : readReply(fields, form, reply);
}
