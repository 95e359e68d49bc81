import { type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import type { ParsedReply } from '../../prompts/reply/parse-reply.ts';
import { readForm } from '../../prompts/reply/read-form.ts';
import { readReply } from '../../prompts/reply/read-reply.ts';
import type { KeptReply } from './archive.ts';
import type { Asked } from './asked.ts';

/** The prompt that an input is for, whichever it is. */
export const promptOf = ({ prompt }: PromptInput): Prompt<unknown, Fields> => prompts[prompt] as never;

/** Reads a reply to what was asked, in the form in which it was asked for. */
export function readAsked(
  { input, form }: Pick<Asked, 'input' | 'form'>,
  reply: Pick<KeptReply, 'text' | 'toolCalls' | 'finish'>,
): ParsedReply<Fields> {
  const { fields, schemaOf } = promptOf(input);
  const own = schemaOf?.(input.variables);
  return own ? readForm(fields, own, reply) : readReply(fields, form, reply);
}
