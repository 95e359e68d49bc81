import { kindOf, RlmError } from '../../../errors.ts';
import type { PromptName } from '../../../prompts/index.ts';
import type { Fields, ReplyOf } from '../../../prompts/reply/fields.ts';
import type { Ask, DoorParts, Layer, ParsedObtained, PromptRequest } from '../layer.ts';
import { onlyThought, reasoningFor } from '../reasoning.ts';

/** If a repair turn fails with one of these errors, the first reply is used in part, or reported as unusable. */
const leavesReply: readonly string[] = ['limit-calls', 'limit-tokens', 'limit-cost', 'prompt-too-long'];

const leavesPart = (error: unknown): boolean =>
  error instanceof RlmError && !['interruption', 'bug'].includes(kindOf(error));

function unusable(prompt: PromptName, problem: string, text: string): RlmError {
  const began = JSON.stringify(text.slice(0, 80));
  return new RlmError(
    'reply-unusable',
    `the model's reply to the ${prompt} prompt cannot be used: ${problem}; it began ${began}`,
    { hint: 'Try again, or use a model that follows instructions better (--model).' },
  );
}

const cut = (obtained: ParsedObtained, reply: ReplyOf<Fields>): ParsedObtained => ({
  ...obtained,
  parsed: { class: 'ok', reply, isCut: true },
});

/** Asks once more if a reply could not be parsed. Throws `reply-unusable` if no part of either reply can be parsed. */
export const repair: Layer<Ask> = (next) => async (question) => {
  const first = await next(question);
  if (first.parsed.class !== 'failed') return first;

  const { partial, problem } = first.parsed;
  if (partial !== undefined && first.reply.cutShort) return cut(first, partial);
  const failed = { text: first.reply.text, problem };
  const second = await next({ ...question, failed }).catch((error: RlmError) => {
    if (leavesReply.includes(error.code) || (partial !== undefined && leavesPart(error))) return first;
    throw error;
  });
  if (second.parsed.class !== 'failed') return second;
  const rest = second.parsed.partial ?? partial;
  if (rest !== undefined) return cut(second, rest);
  throw unusable(question.input.prompt, second.parsed.problem, second.reply.text);
};

/** Asks once more, with less thinking, if a reply was only thinking. `holds`: whether a question is recorded. */
export function thinkLess(
  { settings }: Pick<DoorParts, 'settings'>,
  holds: (question: PromptRequest) => Promise<boolean>,
): Layer<Ask> {
  return (next) => async (question) => {
    try {
      return await next(question);
    } catch (error) {
      const again = { ...question, thinksLess: true };
      const isMissing = error instanceof RlmError && error.code === 'call-not-recorded';
      const canBeLess = reasoningFor(question.input, settings, question.thinksLess).level !== 'none';
      const isWorthIt = isMissing ? await holds(again) : canBeLess && onlyThought(error) !== null;
      if (!isWorthIt) throw error;
      return next(again);
    }
  };
}
