import type { Settings } from '../../config/settings.ts';
import type { PromptInput } from '../../prompts/index.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import type { Message, ToolSpec } from '../../providers/provider.ts';
import type { CallTokens } from '../../state.ts';
import type { RunModel } from '../roster.ts';
import type { RunPlace } from '../run-place.ts';
import type { Spending } from './budget.ts';
import type { createIdentify } from './call-identity.ts';
import { costOf, type Price } from './prices.ts';
import type { Breaker } from './serving/breaker.ts';
import type { Crowd } from './serving/crowd.ts';
import type { Pace } from './serving/pace.ts';
import type { Sizing } from './serving/sizing.ts';

/** A model with the state that its calls share: its server's limiter and breaker, and its known speed. */
export interface ServingModel extends RunModel, Crowd {
  readonly breaker: Breaker;
  readonly identify: ReturnType<typeof createIdentify>;
  readonly sizing: Sizing;
  readonly pace: Pace;
}

/** A rendered prompt, and the node or stage that it belongs to. */
export interface Asked {
  readonly model: ServingModel;
  readonly input: PromptInput;
  readonly form: ReplyForm;
  /** Tools that the reply may call. */
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** The role's addition to the messages; empty: none. */
  readonly supplement: string;
  /** The messages after the prompt itself: an unusable reply, and the problem with it. */
  readonly turns: readonly Message[];
  readonly place: RunPlace;
}

/** A call in progress: its number in the run, from 1, and its start time, in ms. */
export interface Started {
  readonly number: number;
  readonly startedAt: number;
}

/** Returns the provider and model of an event. */
export const servedBy = ({ provider, info }: RunModel) => ({ provider: provider.name, model: info.model });

/** Returns the spending for a number of requests and their tokens. */
export const spendingOf = (calls: number, tokens: CallTokens, price: Price | null): Spending => ({
  calls,
  tokens: tokens.input + tokens.output,
  usd: price ? costOf(tokens, price) : 0,
});

/**
 * Returns the most that one request can cost, with so many tokens of input and output; by default, a request that fills
 * the window.
 */
export function worstCase(
  { info, window: { tokens: windowTokens }, price }: Pick<RunModel, 'info' | 'price' | 'window'>,
  settings: Settings,
  inputTokens: number = windowTokens,
  output: number = settings.reply.maxTokens,
): Spending {
  if (info.spends === 'nothing') return { calls: 1, tokens: 0, usd: 0 };
  const input = Math.min(inputTokens, windowTokens);
  // A prompt and its reply share the window, and a server that is asked not to cut text does not exceed it.
  const writesCache = price?.cacheWrite !== undefined && price.cacheWrite > price.input;
  const most = { input, output, cacheWritten: writesCache ? input : 0 };
  return { ...spendingOf(1, most, price), tokens: Math.min(input + output, windowTokens) };
}

/** Returns the request options that influence a reply besides the prompt. */
export const optionsOf = ({ input, model }: Pick<Asked, 'input' | 'model'>, settings: Settings) => ({
  temperature: settings.temperatures[input.prompt],
  maxOutputTokens: settings.reply.maxTokens,
  windowTokens: model.window.tokens,
  seed: settings.seed,
});
