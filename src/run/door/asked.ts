import type { Settings } from '../../config/settings.ts';
import { tokensOf, weigh } from '../../context/text-size.ts';
import { askedFields, type PromptInput, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import { type ParsedReply, readForm, readReplyInForm } from '../../prompts/reply/read-reply.ts';
import { replySchema } from '../../prompts/reply/reply-form.ts';
import type { Message, ModelRequest, ToolSpec } from '../../providers/provider.ts';
import type { CallTokens } from '../../state.ts';
import type { RunModel, RunPlace } from '../roster.ts';
import type { KeptReply } from './archive.ts';
import { type Budget, dearestOf, type Spending } from './budget.ts';
import type { createIdentify, Identified } from './call-identity.ts';
import type { Crowd } from './limiter.ts';
import type { Pace } from './pace.ts';
import { costOf, type Price } from './prices.ts';
import { maxThinkingTokens, reservedThinkingTokens } from './reasoning.ts';
import { messageTokens, type Sizing } from './window.ts';

/** A model with the state that its calls share. */
export interface ServingModel extends RunModel, Crowd {
  readonly identify: ReturnType<typeof createIdentify>;
  readonly sizing: Sizing;
  readonly pace: Pace;
}

/** A rendered prompt, and the node or stage that it belongs to. */
export interface Asked extends Identified {
  readonly model: ServingModel;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  readonly place: RunPlace;
}

/** A call in progress: its number in the run, from 1, and its start time, in ms. */
export interface Started {
  readonly number: number;
  readonly startedAt: number;
}

/** Returns the names of a model and its provider as the fields of an event. */
export const servedBy = ({ provider, info }: RunModel) => ({ provider: provider.name, model: info.model });

/** Returns the spending for a number of requests and their tokens. */
export const spendingOf = (calls: number, tokens: CallTokens, price: Price | null): Spending => ({
  calls,
  tokens: tokens.input + tokens.output,
  usd: price ? costOf(tokens, price) : 0,
});

type PricedModel = Pick<RunModel, 'info' | 'price' | 'window'>;

/** Returns the maximum number of tokens that one request can use. */
export function worstTokens(
  { info, window, price }: PricedModel,
  inputTokens: number,
  outputTokens: number,
): CallTokens {
  if (info.spends === 'nothing') return { input: 0, output: 0 };
  const input = Math.min(inputTokens, window.tokens);
  const writesCache = price?.cacheWrite !== undefined && price.cacheWrite > price.input;
  return { input, output: outputTokens, cacheWritten: writesCache ? input : 0 };
}

/** Returns the highest possible spending of one request. By default, its prompt fills the window. */
export function worstCase(
  model: PricedModel,
  settings: Settings,
  input: number = model.window.tokens,
  output: number = settings.reply.maxTokens + maxThinkingTokens(settings),
): Spending {
  const worst = spendingOf(1, worstTokens(model, input, output), model.price);
  // A prompt and its reply share the window.
  return { ...worst, tokens: Math.min(worst.tokens, model.window.tokens) };
}

/** Returns the highest possible spending of one call of any of the models. */
export const dearestCall = (models: readonly RunModel[], settings: Settings): Spending =>
  dearestOf(models.map((model) => worstCase(model, settings)));

/** Returns the highest possible spending of `calls` calls within the limits; USD is null if a price is unknown. */
export function mostSpent(calls: number, models: readonly RunModel[], settings: Settings) {
  const { maxTokens, maxCost } = settings.budget;
  const one = dearestCall(models, settings);
  const isKnown = models.every(({ price }) => price !== null);
  return {
    calls,
    tokens: Math.min(calls * one.tokens, maxTokens ?? Number.POSITIVE_INFINITY),
    usd: isKnown ? Math.min(calls * one.usd, maxCost ?? Number.POSITIVE_INFINITY) : null,
  };
}

/** Returns the request options that influence a reply besides the prompt. */
export const optionsOf = ({ input, model }: Pick<Asked, 'input' | 'model'>, settings: Settings) => ({
  temperature: settings.temperatures[input.prompt],
  maxOutputTokens: settings.reply.maxTokens,
  windowTokens: model.window.tokens,
  seed: settings.seed,
});

/** Returns the prompt of an input. */
export const promptOf = ({ prompt }: PromptInput): Prompt<unknown, Fields> => prompts[prompt] as never;

/** Returns the maximum number of tokens of a reply, thinking included. The window may have room for fewer. */
export const longestReply = (
  { input, reasoning }: Pick<Asked, 'input' | 'reasoning'>,
  { reply: { maxTokens } }: Settings,
): number => (promptOf(input).longReply === true ? 2 * maxTokens : maxTokens) + reservedThinkingTokens(reasoning);

/** Parses a reply in the form that was requested. */
export function readAsked(
  { input, form }: Pick<Asked, 'input' | 'form'>,
  reply: Pick<KeptReply, 'text' | 'toolCalls' | 'finish'>,
): ParsedReply<Fields> {
  const { fields, schemaOf } = promptOf(input);
  const own = schemaOf?.(input.variables);
  return own ? readForm(fields, own, reply) : readReplyInForm(fields, form, reply);
}

/** The minimum reply limit of a slow model, in tokens. A lower limit would leave no room for an answer. */
const shortestReply = 256;

/** Returns the schema of a reply. It lists no passages for a hosted model, whose server compiles each new schema. */
function schemaOf(asked: Asked): object {
  const { input, tools, model } = asked;
  const own = promptOf(input).schemaOf?.(input.variables);
  if (own) return own.reply;
  const isHosted = model.info.spends === 'money';
  const passages = isHosted ? [] : promptOf(input).passageIds?.(input.variables);
  return replySchema(askedFields(input), { tools, ...(passages && { passages }) });
}

const attached = (asked: Asked): Pick<ModelRequest, 'schema' | 'tools'> => ({
  schema: asked.form === 'json' ? schemaOf(asked) : null,
  tools: asked.form === 'tools' ? asked.tools : [],
});

/** Returns the size of the schema or the tools of a request in tokens. Servers count them as input. */
export const attachedTokens = (asked: Asked): number => tokensOf(weigh(JSON.stringify(attached(asked))));

/** Returns the limit of output tokens for a request. */
function mostOutput({ input, model, messages, place, reasoning }: Asked, settings: Settings, budget: Budget): number {
  const ms = Math.min(settings.budget.callTimeout * 1_000, budget.timeLeftMs(place.share));
  const room = model.window.tokens - model.sizing.scaled(messageTokens(messages));
  const most = Math.min(longestReply({ input, reasoning }, settings), Math.max(settings.reply.maxTokens, room));
  return Math.min(most, Math.max(shortestReply, model.pace.writtenIn(ms)));
}

/** Creates the request for the provider. */
export const requestOf = (asked: Asked, settings: Settings, budget: Budget): ModelRequest => ({
  input: asked.input,
  messages: asked.messages,
  ...attached(asked),
  logprobs: promptOf(asked.input).probabilityOf !== undefined,
  ...optionsOf(asked, settings),
  reasoning: asked.reasoning.level,
  maxOutputTokens: mostOutput(asked, settings, budget),
});
