import { RlmError } from '../../../errors.ts';
import type { Ask, DoorParts, Layer, PromptRequest } from '../layer.ts';
import { onlyThought, reasoningFor } from '../reasoning.ts';

/**
 * Asks once more, with less thinking, where a reply was nothing but thinking.
 * @param holds whether the reply to a question is recorded.
 */
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
