import type { Settings } from '../../config/settings.ts';
import { askedFields } from '../../prompts/index.ts';
import { replySchema } from '../../prompts/reply/reply-form.ts';
import type { ModelRequest } from '../../providers/provider.ts';
import { type Asked, optionsOf } from './asked.ts';
import { longestReply, promptOf } from './asked-prompt.ts';
import type { Budget } from './budget.ts';
import { messageTokens } from './window.ts';

/** The smallest reply limit, in tokens: a shorter reply has no room for an answer, however slow the model is. */
const shortestReply = 256;

/**
 * Returns the schema of a reply. A hosted model gets the same schema each time, since its server compiles each new one
 * first, and such a model uses only the given ids anyway.
 */
function schemaOf(asked: Asked): object {
  const { input, tools, model } = asked;
  const own = promptOf(input).schemaOf?.(input.variables);
  if (own) return own.reply;
  const isHosted = model.info.spends === 'money';
  const passages = isHosted ? [] : promptOf(input).passageIds?.(input.variables);
  return replySchema(askedFields(input), { tools, ...(passages && { passages }) });
}

/**
 * Returns the reply limit of a request, in tokens: no more than the window has room for, and than the model can write
 * in the time of one call.
 */
function mostOutput({ input, model, messages, place }: Asked, settings: Settings, budget: Budget): number {
  const ms = Math.min(settings.budget.callTimeout * 1_000, budget.timeLeftMs(place.share));
  const room = model.window.tokens - model.sizing.scaled(messageTokens(messages));
  const most = Math.min(longestReply(input, settings), Math.max(settings.reply.maxTokens, room));
  return Math.min(most, Math.max(shortestReply, model.pace.writtenIn(ms)));
}

/** Creates the request for the provider; its reply limit depends on the remaining time. */
export const requestOf = (asked: Asked, settings: Settings, budget: Budget): ModelRequest => ({
  input: asked.input,
  messages: asked.messages,
  schema: asked.form === 'json' ? schemaOf(asked) : null,
  tools: asked.form === 'tools' ? asked.tools : [],
  logprobs: promptOf(asked.input).probabilityOf !== undefined,
  ...optionsOf(asked, settings),
  maxOutputTokens: mostOutput(asked, settings, budget),
});
