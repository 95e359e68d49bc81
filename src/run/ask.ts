import { RlmError } from '../errors.ts';
import { describeReply, type Fields, replyForm } from '../prompts/fields.ts';
import { type PromptInput, type PromptName, prompts, type Reply, type Variables } from '../prompts/index.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { renderPrompt } from '../prompts/template.ts';
import type { Message } from '../providers/provider.ts';
import { type CallParts, createCaller } from './call.ts';
import type { Place, Run } from './run.ts';

/** Why a repair turn that cannot be made leaves the reply as it is. */
const leavesReply: readonly string[] = ['limit-calls', 'limit-tokens', 'limit-cost', 'prompt-too-long'];

/**
 * The one door to a model: every call of the program goes through the function that this makes. A reply that cannot be
 * read gets one repair turn.
 */
export function createDoor(parts: CallParts): Run['ask'] {
  const call = createCaller(parts);

  return async function ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: Place) {
    const { fields, tools: toolsOf, turns: turnsOf } = prompts[prompt] as unknown as Prompt<Variables<N>, Fields>;
    const tools = toolsOf?.(variables) ?? [];
    const form = replyForm(fields, tools, parts.info);
    const format = describeReply(fields, form, tools);
    const { system, user } = renderPrompt(parts.templates, prompt, variables, format);
    const input = { prompt, variables } as unknown as PromptInput;
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: user },
      ...(turnsOf?.(variables, form) ?? []),
    ];
    const asked = { input, form, tools, place };
    const first = await call({ ...asked, messages, turns: [] });
    if (first.parsed.class !== 'failed') return first.parsed.reply as Reply<N>;

    const turns = repairTurns(first.text, first.parsed.problem, format);
    const second = await call({ ...asked, messages: [...messages, ...turns], turns }).catch((error: RlmError) => {
      if (leavesReply.includes(error.code)) return first;
      throw error;
    });
    if (second.parsed.class !== 'failed') return second.parsed.reply as Reply<N>;
    throw unusable(prompt, second.parsed.problem, second.text);
  };
}

/** Shows the model its own reply and what was wrong with it. A long reply is shown in part: its form is what matters. */
function repairTurns(text: string, problem: string, format: string): Message[] {
  return [
    { role: 'assistant', content: text.slice(0, 2_000) },
    { role: 'user', content: `Your reply could not be used: ${problem}.\n\n${format}` },
  ];
}

function unusable(prompt: PromptName, problem: string, text: string): RlmError {
  const began = JSON.stringify(text.slice(0, 80));
  return new RlmError(
    'reply-unusable',
    `the model's reply to the ${prompt} prompt cannot be used: ${problem}; it began ${began}`,
    { hint: 'Try again, or use a model that follows instructions better (--model).' },
  );
}
