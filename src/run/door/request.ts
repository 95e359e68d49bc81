import type { Settings } from '../../config/settings.ts';
import { askedFields } from '../../prompts/index.ts';
import { replySchema } from '../../prompts/reply/reply-form.ts';
import type { ModelRequest } from '../../providers/provider.ts';
import { type Asked, optionsOf } from './asked.ts';
import { promptOf } from './asked-prompt.ts';
import type { Budget } from './budget.ts';

/** A reply of fewer tokens has no room for an answer, however slow the model is. */
const shortestReply = 256;

/**
 * A hosted model gets the same schema each time: its server compiles a new one first, and such a model keeps to the
 * ids.
 */
function schemaOf(asked: Asked): object {
  const { input, tools, model } = asked;
  const own = promptOf(input).schemaOf?.(input.variables);
  if (own) return own.reply;
  const isHosted = model.info.spends === 'money';
  const passages = isHosted ? [] : promptOf(input).passageIds?.(input.variables);
  return replySchema(askedFields(input), { tools, ...(passages && { passages }) });
}

/** What a request is held to: a reply that the model cannot write in the time of one is not asked of it. */
function mostOutput({ model, place }: Asked, settings: Settings, budget: Budget): number {
  const ms = Math.min(settings.budget.callTimeout * 1_000, budget.timeLeftMs(place.share));
  return Math.min(settings.reply.maxTokens, Math.max(shortestReply, model.pace.writtenIn(ms)));
}

/** What the provider is asked now: how long the reply may be goes by the time that is left. */
export const requestOf = (asked: Asked, settings: Settings, budget: Budget): ModelRequest => ({
  input: asked.input,
  messages: asked.messages,
  schema: asked.form === 'json' ? schemaOf(asked) : null,
  tools: asked.form === 'tools' ? asked.tools : [],
  logprobs: promptOf(asked.input).probabilityOf !== undefined,
  ...optionsOf(asked, settings),
  maxOutputTokens: mostOutput(asked, settings, budget),
});
