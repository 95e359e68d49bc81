import { RlmError } from '../../../errors.ts';
import type { PromptName } from '../../../prompts/index.ts';
import type { Fields, ReplyOf } from '../../../prompts/reply/fields.ts';
import type { Ask, Layer, ReceivedReply } from '../layer.ts';

/** Why a repair turn that cannot be made leaves the reply as it is. */
const leavesReply: readonly string[] = ['limit-calls', 'limit-tokens', 'limit-cost', 'prompt-too-long'];

function unusable(prompt: PromptName, problem: string, text: string): RlmError {
  const began = JSON.stringify(text.slice(0, 80));
  return new RlmError(
    'reply-unusable',
    `the model's reply to the ${prompt} prompt cannot be used: ${problem}; it began ${began}`,
    { hint: 'Try again, or use a model that follows instructions better (--model).' },
  );
}

/** What had come of a reply that was cut off. */
const cut = (said: ReceivedReply, reply: ReplyOf<Fields>): ReceivedReply => ({
  ...said,
  parsed: { class: 'ok', reply, isCut: true },
});

/**
 * Asks once more for a reply that could not be read, showing what was wrong with it.
 * @throws RlmError `reply-unusable` where the second cannot be read either, and nothing of a cut one can be used.
 */
export const repair: Layer<Ask> = (next) => async (question) => {
  const first = await next(question);
  if (first.parsed.class !== 'failed') return first;

  const { partial, problem } = first.parsed;
  if (partial !== undefined && first.cutShort) return cut(first, partial);
  const failed = { text: first.text, problem };
  const second = await next({ ...question, failed }).catch((error: RlmError) => {
    if (leavesReply.includes(error.code) || partial !== undefined) return first;
    throw error;
  });
  if (second.parsed.class !== 'failed') return second;
  const rest = second.parsed.partial ?? partial;
  if (rest !== undefined) return cut(second, rest);
  throw unusable(question.input.prompt, second.parsed.problem, second.text);
};
