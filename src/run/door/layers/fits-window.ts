import { RlmError } from '../../../errors.ts';
import { modelName } from '../../roster.ts';
import type { DoorParts, Layer, Send } from '../layer.ts';
import { messageTokens } from '../window.ts';

/** Refuses a prompt that, with its reply, is larger than the model's window (RlmError `prompt-too-long`). */
export const fitsWindow =
  ({ settings }: Pick<DoorParts, 'settings'>): Layer<Send> =>
  (next) =>
  async (asked) => {
    const { messages, input, model } = asked;
    const { tokens } = model.window;
    const needed = model.sizing.scaled(messageTokens(messages)) + settings.reply.maxTokens;
    if (needed <= tokens) return next(asked);
    throw new RlmError(
      'prompt-too-long',
      `the ${input.prompt} prompt needs about ${needed} tokens, the window of ${modelName(model)} has ${tokens}`,
      { hint: 'Raise context.maxWindowTokens where the model can do more, or lower context.passages.' },
    );
  };
